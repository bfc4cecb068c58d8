package io.gcdiag.read.dumps;

import io.gcdiag.evidence.threads.DumpTotals;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.read.dumps.ParsedThread.ParsedLocks;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Collects dumps and threads. Threads with the same stack share one list of frames, so that a dump
 * of a million virtual threads that wait at one place stays small.
 */
final class DumpBuilder {

  /** Frames kept of a stack: the most that a JVM prints by default. */
  static final int MOST_FRAMES = 1024;

  /** As many digits as fit a long. */
  private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");

  /**
   * Memory of a thread with its name, from reading to the report; measured with a million threads.
   */
  private static final long BYTES_PER_THREAD = 512;

  /** Largest number of threads kept of one file: half a million in a heap of 256 MiB. */
  private final long mostThreads = Runtime.getRuntime().maxMemory() / BYTES_PER_THREAD;

  private final List<ParsedDump> dumps = new ArrayList<>();
  private final Map<String, String> frameNames = new HashMap<>();
  private final Map<List<String>, Stack> stacks = new HashMap<>();
  private long total;
  private long leftOut;
  private boolean cut;

  private long listed;
  private boolean open;
  private Optional<Instant> instant = Optional.empty();
  private Optional<LocalDateTime> localTime = Optional.empty();
  private long line;
  private List<ParsedThread> threads = new ArrayList<>();
  private Set<String> deadlocked = new LinkedHashSet<>();
  private boolean searched;
  private boolean selected;
  private Optional<Draft> draft = Optional.empty();
  private Optional<String> version = Optional.empty();
  private Optional<String> collector = Optional.empty();
  private Duration oldest = Duration.ZERO;
  private Duration ownCpu = Duration.ZERO;

  /** Shared frames of threads; the lines are those of the first thread. */
  private record Stack(List<String> frames, List<Integer> lines) {}

  /** A virtual thread that parks in it is pinned to its carrier. */
  private static final String ON_CARRIER = "java.lang.VirtualThread.parkOnCarrierThread";

  /** A virtual thread in it is pinned to its carrier in JDK 21 to 23 (JEP 444, until JEP 491). */
  private static final String OBJECT_WAIT = "java.lang.Object.wait0";

  private static final Pattern WAITS_ON_CARRIER = Pattern.compile("2[123](\\..*)?");

  /** Innermost frames of waits for anything but a monitor. */
  private static final Pattern OWN_WAIT =
      Pattern.compile(".*\\.Unsafe\\.park|java\\.lang\\.(?:Object\\.wait|Thread\\.sleep)0?");

  static final class Draft {
    private final List<String> frames = new ArrayList<>();
    private final List<Integer> lines = new ArrayList<>();
    private String name;
    private String state = "";
    private Optional<String> parkedClass = Optional.empty();
    private boolean java;
    private boolean virtual;
    private Optional<Duration> cpu = Optional.empty();
    private Duration age = Duration.ZERO;
    private OptionalLong carries = OptionalLong.empty();
    private OptionalLong number = OptionalLong.empty();
    private Optional<String> wanted = Optional.empty();
    private final Set<String> owned = new LinkedHashSet<>();
    private final Map<String, Integer> entered = new HashMap<>();
    private final Set<String> letGo = new HashSet<>();
    private boolean stackEnded;
    private boolean inObjectWait;
    private boolean ofStack;

    Draft(String name) {
      this.name = name;
    }

    void name(String value) {
      name = value;
    }

    /** Marks it as a Java thread, not one of the JVM's own. */
    void markJava() {
      java = true;
    }

    /** The frames read so far only say that it runs the virtual thread whose frames follow. */
    void mounts() {
      frames.clear();
      lines.clear();
    }

    /** Whether it waits, by a state that does not tell for what. */
    void forced(boolean waits) {
      state(waits ? "BLOCKED" : "RUNNABLE");
      ofStack = waits;
    }

    void virtual(boolean value) {
      virtual = value;
    }

    void cpu(Optional<Duration> value) {
      cpu = value;
    }

    void age(Duration value) {
      age = value;
    }

    void carries(long number) {
      carries = OptionalLong.of(number);
    }

    /** Sets its own number, which a dump to a file has for each thread. */
    void number(String digits) {
      if (NUMBER.matcher(digits).matches()) {
        number = OptionalLong.of(Long.parseLong(digits));
      }
    }

    void state(String value) {
      state = value;
      java = true;
    }

    /**
     * Takes the lock that the management interface names, {@code java.lang.Object@1b2c3d}. One that
     * waits to be notified has let the monitor go, and does not want it yet.
     */
    void on(String lock) {
      String type = lock.substring(0, Math.max(lock.indexOf('@'), 0));
      boolean blocked = state.equals("BLOCKED");
      if (!type.startsWith("java.lang.Object")) {
        waitsFor(type, blocked);
      }
      if (blocked || type.startsWith("java.util.concurrent.")) {
        wants(lock);
      }
    }

    /** Keeps the first class named. For a monitor, an unknown state is BLOCKED. */
    void waitsFor(String parked, boolean monitor) {
      parkedClass = parkedClass.or(() -> Optional.of(parked));
      if (monitor && state.isEmpty()) {
        state = "BLOCKED";
      }
    }

    /** Whether the JVM states that it waits, although its state may be runnable. */
    void inObjectWait(boolean value) {
      inObjectWait = value;
    }

    /** It waits until another thread has initialized that class; its state is runnable. */
    void waitsForClass(String name) {
      parkedClass = Optional.of(ParsedThread.CLASS_INITIALIZATION);
      state = "BLOCKED";
      wants(ParsedThread.INITIALIZER + name);
    }

    /**
     * JDK 8 and 11 do not print the class. Threads in other waits have {@code Object.wait} on their
     * stack.
     */
    private void takeForClass() {
      boolean waits =
          inObjectWait
              && state.equals("RUNNABLE")
              && !frames.isEmpty()
              && !frames.get(0).startsWith("java.lang.Object.wait");
      if (waits) {
        parkedClass = Optional.of(ParsedThread.CLASS_INITIALIZATION);
        state = "BLOCKED";
      }
    }

    /** Keeps the identity of the object it is blocked or parked on, the first one named. */
    void wants(String identity) {
      wanted = wanted.or(() -> Optional.of(identity));
    }

    void owns(String identity) {
      owned.add(identity);
    }

    /** The latest frame has entered a monitor. */
    void enters(String identity) {
      owned.add(identity);
      entered.put(identity, Math.max(0, frames.size() - 1));
    }

    /** A monitor that it waits on: entered further out, and released until it is notified. */
    void letsGo(String identity) {
      letGo.add(identity);
    }

    /** The following frames are not its own. */
    void endStack() {
      stackEnded = true;
    }

    boolean stackEnded() {
      return stackEnded;
    }

    /** Whether frames were read, but not yet their end. */
    boolean isInStack() {
      return !stackEnded && !frames.isEmpty();
    }

    /** Some dumps state it; otherwise the stack shows it, unless it is that on a carrier. */
    private boolean isVirtual() {
      return virtual
          || (carries.isEmpty() || carries.equals(number))
              && !frames.isEmpty()
              && frames.get(frames.size() - 1).equals("java.lang.VirtualThread.run");
    }

    private ParsedLocks locks() {
      if (wanted.isEmpty() && owned.isEmpty()) {
        return ParsedLocks.NONE;
      }
      return new ParsedLocks(
          wanted, owned.stream().filter(one -> !letGo.contains(one)).toList(), entered);
    }

    /** The JVM pins virtual threads in {@code Object.wait}. */
    void waitsOnCarrier() {
      if (virtual && !frames.isEmpty() && frames.get(0).equals(OBJECT_WAIT)) {
        carries = number;
      }
    }

    void frame(FrameText.Frame frame) {
      java = true;
      if (ofStack && frames.isEmpty() && OWN_WAIT.matcher(frame.name()).matches()) {
        state = "WAITING";
      }
      if (frames.size() < MOST_FRAMES) {
        frames.add(frame.name());
        if (frame.name().endsWith(ParsedThread.STARTER)) {
          String name = frame.name();
          owns(
              ParsedThread.INITIALIZER
                  + name.substring(0, name.length() - ParsedThread.STARTER.length()));
        }
        if (number.isPresent() && frame.name().equals(ON_CARRIER)) {
          carries = number;
        }
        lines.add(frame.line());
      }
    }
  }

  void begin(TimeText at, long heading) {
    end();
    open = true;
    instant = at.instant();
    localTime = at.local();
    line = heading;
  }

  void takenAt(Optional<Instant> at) {
    instant = at;
  }

  Draft thread(String name) {
    endThread();
    Draft started = new Draft(name);
    draft = Optional.of(started);
    return started;
  }

  Optional<Draft> current() {
    return draft;
  }

  void listed(long count) {
    listed = count;
  }

  void deadlocked(String name) {
    deadlocked.add(name);
  }

  /** The JVM searches for deadlocks when it writes such a dump. */
  void searched() {
    searched = true;
  }

  /** Only the threads that compute most are in it. */
  void selected() {
    selected = true;
  }

  /** It ends before what the JVM found. */
  void unsearched() {
    searched = false;
  }

  /** Whether it has as many Java threads as it lists. */
  boolean hasAllListed() {
    return listed > 0
        && threads.size() + leftOut + draft.filter(last -> last.java).stream().count() >= listed;
  }

  void version(Optional<String> stated) {
    version = stated;
  }

  /** The text ends here, inside the dump. */
  void cut() {
    cut = true;
  }

  void endThread() {
    draft.ifPresent(this::addToTotals);
    Optional<Draft> ended = draft.filter(thread -> thread.java);
    draft = Optional.empty();
    if (ended.isEmpty()) {
      return;
    }
    if (++total > mostThreads) {
      leftOut++;
      return;
    }
    Draft thread = ended.get();
    thread.takeForClass();
    if (version.filter(jdk -> WAITS_ON_CARRIER.matcher(jdk).matches()).isPresent()) {
      thread.waitsOnCarrier();
    }
    thread.frames.replaceAll(frame -> frameNames.computeIfAbsent(frame, key -> key));
    Stack known = stacks.get(thread.frames);
    if (known == null) {
      known = new Stack(List.copyOf(thread.frames), List.copyOf(thread.lines));
      stacks.put(known.frames(), known);
    }
    Stack stack = known;
    threads.add(
        new ParsedThread(
            thread.name,
            thread.state,
            stack.frames(),
            stack.lines(),
            thread.parkedClass,
            thread.isVirtual(),
            thread.cpu,
            thread.locks(),
            thread.carries));
  }

  private void addToTotals(Draft thread) {
    oldest = thread.age.compareTo(oldest) > 0 ? thread.age : oldest;
    ownCpu = thread.java ? ownCpu : ownCpu.plus(thread.cpu.orElse(Duration.ZERO));
    if (!thread.java && collector.isEmpty()) {
      collector = CollectorThreads.collector(thread.name);
    }
  }

  /** Ends the present dump; a heading without threads is no dump. */
  void end() {
    endThread();
    if (open && !threads.isEmpty()) {
      dumps.add(
          new ParsedDump(
              instant,
              localTime,
              threads,
              new ArrayList<>(deadlocked),
              version,
              collector,
              oldest.isZero() ? Optional.empty() : Optional.of(new DumpTotals(oldest, ownCpu)),
              searched,
              selected,
              line,
              leftOut,
              Math.max(0, listed - leftOut - threads.size()),
              cut));
    }
    open = false;
    threads = new ArrayList<>();
    deadlocked = new LinkedHashSet<>();
    searched = false;
    selected = false;
    version = Optional.empty();
    collector = Optional.empty();
    oldest = Duration.ZERO;
    ownCpu = Duration.ZERO;
    leftOut = 0;
    listed = 0;
    cut = false;
  }

  List<ParsedDump> dumps() {
    return List.copyOf(dumps);
  }

  /** The collector, by the names of HotSpot's own threads. */
  private static final class CollectorThreads {

    /**
     * Prefixes of a collector's thread names in JDK 8 to 25. Workers of G1 and Parallel have the
     * same names from JDK 10 on, so they are not used. Serial has no thread of its own.
     */
    private static final Map<String, String> BEGINNINGS =
        Map.of(
            "G1 ", "G1",
            "GC task thread#", "Parallel",
            "Concurrent Mark-Sweep GC Thread", "ParNew + CMS",
            "ZDirector", "ZGC",
            "ZWorker", "ZGC",
            "XDirector", "ZGC",
            "Shenandoah", "Shenandoah");

    static Optional<String> collector(String thread) {
      return BEGINNINGS.entrySet().stream()
          .filter(entry -> thread.startsWith(entry.getKey()))
          .map(Map.Entry::getValue)
          .findFirst();
    }
  }
}
