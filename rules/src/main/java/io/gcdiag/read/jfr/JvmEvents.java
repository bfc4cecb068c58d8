package io.gcdiag.read.jfr;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.JvmSample.CodeCacheFull;
import io.gcdiag.evidence.jvm.JvmSample.Deoptimized;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.jvm.JvmSample.RecordedProgram;
import io.gcdiag.evidence.jvm.JvmSample.ThrownErrors;
import io.gcdiag.evidence.jvm.JvmSample.ThrownExceptions;
import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.JvmProcess;
import io.gcdiag.read.bytes.JvmVersions;
import io.gcdiag.read.jfr.reader.Event;
import io.gcdiag.read.jfr.reader.Trace;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * The recording's facts about the JVM: version, flags, collector, heap bounds, processors, start.
 */
final class JvmEvents extends EventGroup {

  /** {@code OpenJDK 64-Bit Server VM (17.0.15+6-Debian-1deb12u1) for linux-amd64 ...}. */
  private static final Pattern VERSION = Pattern.compile("\\((\\d[^)]*)\\)");

  private static final String[] FLAG_EVENTS = {
    "jdk.BooleanFlag",
    "jdk.IntFlag",
    "jdk.UnsignedIntFlag",
    "jdk.LongFlag",
    "jdk.UnsignedLongFlag",
    "jdk.DoubleFlag",
    "jdk.StringFlag"
  };

  /**
   * {@code -Dorders.pool=10}; a value is cut at the first blank, because blanks separate arguments.
   */
  private static final Pattern PROPERTY = Pattern.compile("(?<=^|\\s)-D([^\\s=]+)=(\\S*)");

  /**
   * Above this number of GC threads, several numbers of processors are possible: {@code
   * WorkerPolicy::calc_parallel_worker_threads} in HotSpot's {@code workerPolicy.cpp}.
   */
  private static final int MOST_WITH_A_THREAD_EACH = 7;

  private static final Set<String> THREAD_PER_CPU = Set.of("G1", "Parallel");

  private static final Set<String> CHOSEN_BY_THE_JVM = Set.of("Default", "Ergonomic");

  /** Each chunk derives the JVM's start again, from a clock that may have been changed. */
  private static final Duration START_WITHIN = Duration.ofSeconds(2);

  private final SortedMap<String, Flag> flags = new TreeMap<>();
  private Optional<String> version = Optional.empty();
  private Optional<Instant> start = Optional.empty();
  private Optional<String> collector = Optional.empty();
  private Optional<Bytes> initialHeap = Optional.empty();
  private Optional<Bytes> maxHeap = Optional.empty();
  private OptionalInt cpus = OptionalInt.empty();
  private OptionalLong parallelThreads = OptionalLong.empty();
  private String application = "";
  private Optional<RecordedProgram> program = Optional.empty();

  JvmEvents(LaneContext lane) {
    super(lane);
    on("jdk.JVMInformation", this::jvm);
    on("jdk.GCConfiguration", this::collector);
    on("jdk.GCHeapConfiguration", this::heap);
    on("jdk.CPUInformation", this::cpu);
    on("jdk.ContainerConfiguration", this::container);
    for (String event : FLAG_EVENTS) {
      on(event, this::flag);
    }
  }

  private void jvm(Event event) {
    version =
        event
            .text("jvmVersion")
            .map(VERSION::matcher)
            .filter(Matcher::find)
            .flatMap(matcher -> JvmVersions.ofJdk(matcher.group(1)))
            // async-profiler writes only the version number.
            .or(() -> event.text("jvmVersion").flatMap(JvmVersions::ofJdk))
            .or(() -> version);
    start = event.time("jvmStartTime").or(() -> start);
    event.text("jvmArguments").ifPresent(this::properties);
    event.text("javaArguments").ifPresent(text -> application = text.split("\\s", 2)[0]);
    program =
        RecordedProgram.nameOf(application)
            .map(
                name ->
                    new RecordedProgram(
                        event.start(), redactor.redact(name), source("jdk.JVMInformation")));
  }

  /** System properties of the command line, with the configuration of frameworks and pools. */
  private void properties(String arguments) {
    Matcher property = PROPERTY.matcher(arguments);
    while (property.find()) {
      String name = property.group(1);
      // Redacted together with its name, by which secrets are recognised.
      String told = redactor.redact(name + "=" + property.group(2));
      flags.put(
          Flag.PROPERTY + name,
          new Flag(
              Flag.PROPERTY + name,
              told.substring(Math.min(told.length(), name.length() + 1)),
              "Command line",
              source("jdk.JVMInformation")));
    }
  }

  private void collector(Event event) {
    parallelThreads = event.number("parallelGCThreads");
    collector =
        event
            .text("youngCollector")
            .map(young -> name(young, event.text("oldCollector").orElse("")));
  }

  /** The usual short name, from the JVM's two names. */
  private static String name(String young, String old) {
    return switch (young) {
      case "G1New" -> "G1";
      case "ParallelScavenge" -> "Parallel";
      case "DefNew" -> "Serial";
      case "ParNew" -> "ParNew + CMS";
      case "N/A", "" -> old;
      default -> young;
    };
  }

  private void heap(Event event) {
    initialHeap = bytes(event, "initialSize").or(() -> initialHeap);
    maxHeap = bytes(event, "maxSize").or(() -> maxHeap);
  }

  private static Optional<Bytes> bytes(Event event, String field) {
    OptionalLong value = event.number(field);
    return value.isPresent() && value.getAsLong() >= 0
        ? Optional.of(Bytes.of(value.getAsLong()))
        : Optional.empty();
  }

  private void cpu(Event event) {
    OptionalLong threads = event.number("hwThreads");
    if (cpus.isEmpty() && threads.isPresent()) {
      cpus = OptionalInt.of((int) threads.getAsLong());
    }
  }

  private void container(Event event) {
    OptionalLong effective = event.number("effectiveCpuCount");
    if (effective.isPresent() && effective.getAsLong() > 0) {
      cpus = OptionalInt.of((int) effective.getAsLong());
    }
  }

  private void flag(Event event) {
    Optional<String> name = event.text("name");
    if (name.isPresent()) {
      flags.put(
          name.get(),
          new Flag(
              name.get(),
              redactor.redact(event.text("value").orElse("")),
              event.text("origin").orElse(""),
              source(event.type() + " " + name.get())));
    }
  }

  @Override
  public void finish(TimelineBuilder timeline, RecordedSettings settings) {
    timeline.jvm(facts());
    program.ifPresent(timeline::sample);
    SignalState.Kind kind = flags.isEmpty() ? SignalState.Kind.NOT_RECORDED : SignalState.Kind.SEEN;
    timeline.signal(Signal.FLAGS, new SignalState(kind, Optional.empty(), ""));
  }

  @Override
  public void tell(ClockAlignment clocks) {
    start.ifPresent(at -> clocks.jvmStarted(file, at));
  }

  /**
   * The recorded process.
   *
   * @param span the time that the recording covers
   */
  JvmProcess process(Optional<Window> span) {
    return new JvmProcess(
        file,
        JvmProcess.Kind.RECORDING,
        facts(),
        start.map(at -> new JvmProcess.Start(at, START_WITHIN, true)),
        span,
        application);
  }

  private JvmFacts facts() {
    return new JvmFacts(version, collector, initialHeap, maxHeap, usable(), start, flags);
  }

  /** The smallest number of processors that the recording shows for the JVM. */
  private OptionalInt usable() {
    OptionalInt byThreads =
        cpusOf(
            collector.orElse(""),
            (int) parallelThreads.orElse(0),
            Optional.ofNullable(flags.get("ParallelGCThreads")).map(Flag::origin).orElse(""));
    return IntStream.concat(cpus.stream(), byThreads.stream()).min();
  }

  /**
   * The number of processors that the JVM found, which no event states outside of containers. If
   * the JVM chose the number of GC threads, G1 and Parallel have one per processor up to eight, and
   * eight for nine.
   *
   * @param origin origin of the number of threads; empty if not recorded
   */
  static OptionalInt cpusOf(String collector, int threads, String origin) {
    boolean chosen = THREAD_PER_CPU.contains(collector) && CHOSEN_BY_THE_JVM.contains(origin);
    return chosen && threads > 0 && threads <= MOST_WITH_A_THREAD_EACH
        ? OptionalInt.of(threads)
        : OptionalInt.empty();
  }

  /** The work of the JIT compilers, and the free space for compiled code. */
  static final class CompilerEvents extends EventGroup {

    private static final String FULL = "jdk.CodeCacheFull";
    private static final String STATISTICS = "jdk.CodeCacheStatistics";

    /** The JVM reports it once for each part of the cache, and again after it was cleared. */
    private static final int MOST_FULL = 1_000;

    private final List<CodeCacheFull> full = new ArrayList<>();
    private Optional<Instant> fullBefore = Optional.empty();
    private Bytes reserved = Bytes.ZERO;
    private final SecondCounts<Kind> left = new SecondCounts<>(new Kind(Deoptimized.OTHERS, "any"));

    private record Kind(String method, String reason) {}

    CompilerEvents(LaneContext lane) {
      super(lane);
      on(FULL, this::full);
      on(STATISTICS, this::statistics);
      on("jdk.CodeCacheConfiguration", event -> reserved = event.bytes("reservedSize"));
      on("jdk.Deoptimization", this::left);
    }

    private void full(Event event) {
      if (full.size() < MOST_FULL) {
        Bytes capacity = event.bytes("codeCacheMaxCapacity");
        full.add(new CodeCacheFull(event.start(), false, capacity, source(FULL)));
      }
    }

    /**
     * The JVM counts how often a part was full, and writes it at the beginning and end of a chunk.
     */
    private void statistics(Event event) {
      boolean wasFull = event.number("fullCount").orElse(0) > 0;
      if (wasFull && fullBefore.filter(at -> !event.start().isBefore(at)).isEmpty()) {
        fullBefore = Optional.of(event.start());
      }
    }

    private void left(Event event) {
      String name = event.method("method").orElse("unknown method");
      left.add(new Kind(name, event.text("reason").orElse("")), event.start());
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      // The event has the time; a count alone is from before the recording.
      fullBefore
          .filter(at -> full.stream().noneMatch(event -> !event.at().isAfter(at)))
          .map(at -> new CodeCacheFull(at, true, reserved, source(STATISTICS)))
          .ifPresent(full::add);
      full.forEach(timeline::sample);
      left.forEach(
          (kind, second, n) ->
              timeline.sample(new Deoptimized(second, kind.method(), kind.reason(), n)));
      timeline.signal(Signal.CODE_CACHE, settings.state(FULL, !full.isEmpty()));
    }
  }

  /** How the JVM ended that was recorded ({@code jdk.Shutdown}, {@code jdk.DumpReason}). */
  static final class EndEvents extends EventGroup {

    /** HotSpot's text for the end of {@code main}. */
    private static final String BY_ITSELF = "No remaining non-daemon Java threads";

    /** {@code System.exit}, also after a signal. */
    private static final String REQUESTED = "Shutdown requested from Java";

    private Optional<End> end = Optional.empty();
    private Optional<End> dump = Optional.empty();

    private record End(Instant at, String reason, String place) {}

    EndEvents(LaneContext lane) {
      super(lane);
      on("jdk.Shutdown", event -> end = Optional.of(end(event, stacks.running(event).top())));
      on("jdk.DumpReason", event -> dump = Optional.of(end(event, "")));
    }

    private static End end(Event event, String place) {
      return new End(event.start(), event.text("reason").orElse("unknown"), place);
    }

    /** A signal and the end of main are normal ends; only others are reported. */
    private static boolean isOdd(End end) {
      return !end.reason().equals(BY_ITSELF)
          && (!end.reason().equals(REQUESTED) || !end.place().isEmpty());
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      end.or(() -> dump)
          .filter(EndEvents::isOdd)
          .ifPresent(
              one ->
                  timeline.note(
                      "%s: the JVM ended at %s (%s%s)"
                          .formatted(
                              file,
                              one.at(),
                              one.reason(),
                              one.place().isEmpty() ? "" : ", at " + one.place())));
    }
  }

  /** Committed memory of each part of the JVM, if its native memory is tracked. */
  static final class NativeMemoryEvents extends EventGroup {

    private static final String NATIVE = "jdk.NativeMemoryUsage";

    /** Some thirty parts are written each second; changes of this size show growth. */
    private static final Bytes STEP = Bytes.ofMebi(1);

    private final Map<String, Bytes> committed = new HashMap<>();

    NativeMemoryEvents(LaneContext lane) {
      super(lane);
      on(NATIVE, this::part);
    }

    private void part(Event event) {
      String part = event.text("type").orElse("");
      Bytes now = event.bytes("committed");
      Bytes before = committed.get(part);
      boolean stepped =
          before == null
              || now.minusOrZero(before).compareTo(STEP) >= 0
              || before.minusOrZero(now).compareTo(STEP) >= 0;
      if (stepped && !part.isEmpty()) {
        committed.put(part, now);
        keep(new NativeMemory(event.start(), part, now, source(NATIVE)));
      }
    }
  }

  /**
   * Exceptions: their number from a counter that is always on, their types from events that are off
   * in the settings of JDK 17 and sampled in later ones. Errors have an event of their own, which
   * is on.
   */
  static final class ExceptionEvents extends EventGroup {

    private static final String STATISTICS = "jdk.ExceptionStatistics";

    private static final String LINKING = "java.lang.invoke.MethodHandleNatives.resolve";

    private static final String CONSTRUCTOR = ".<init>";

    private final List<ExceptionCount> counts = new ArrayList<>();
    private final SecondCounts<Kind> thrown = new SecondCounts<>(OTHERS);
    private final SecondCounts<Kind> errors = new SecondCounts<>(OTHERS);

    private record Kind(String type, String site) {}

    private static final Kind OTHERS = new Kind("others", "other code");

    ExceptionEvents(LaneContext lane) {
      super(lane);
      on(STATISTICS, this::count);
      on("jdk.JavaExceptionThrow", event -> thrown(event, thrown));
      on("jdk.JavaErrorThrow", this::error);
    }

    private void count(Event event) {
      OptionalLong total = event.number("throwables");
      if (total.isPresent()) {
        Source source = source(STATISTICS);
        counts.add(new ExceptionCount(event.start(), total.getAsLong(), source));
      }
    }

    /**
     * When linking method handles, the JDK tries methods that may not exist and catches the error;
     * those are ignored.
     */
    private void error(Event event) {
      List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
      if (!frames.contains(LINKING)) {
        thrown(event, errors);
      }
    }

    private void thrown(Event event, SecondCounts<Kind> counts) {
      String type = event.className("thrownClass").orElse("unknown");
      String top = stacks.running(event).top();
      String site = top.endsWith(CONSTRUCTOR) ? creator(event, type).orElse(top) : top;
      counts.add(new Kind(type, site.isEmpty() ? "unknown code" : site), event.start());
    }

    /**
     * The caller of an exception's constructor, if the exception's class is not the JDK's.
     * Constructors of its superclasses are innermost, its own is the last of them.
     */
    private static Optional<String> creator(Event event, String type) {
      List<String> frames = event.stack().map(Trace::frames).orElse(List.of());
      int at = frames.indexOf(type + CONSTRUCTOR);
      while (at >= 0 && at < frames.size() && frames.get(at).equals(type + CONSTRUCTOR)) {
        at++;
      }
      return at > 0 && at < frames.size() ? Optional.of(frames.get(at)) : Optional.empty();
    }

    @Override
    public void finish(TimelineBuilder timeline, RecordedSettings settings) {
      counts.forEach(timeline::sample);
      thrown.forEach(
          (kind, second, n) ->
              timeline.sample(new ThrownExceptions(second, kind.type(), kind.site(), n)));
      errors.forEach(
          (kind, second, n) ->
              timeline.sample(new ThrownErrors(second, kind.type(), kind.site(), n)));
      timeline.signal(Signal.EXCEPTION_COUNTS, settings.state(STATISTICS, counts.size() > 1));
    }
  }

  /** Counts events by kind and second, so that memory grows with time and not with events. */
  private static final class SecondCounts<K> {

    /** Kinds that repeat are some hundreds; more are names that never repeat. */
    private static final int MOST_KINDS = 500;

    private final K others;
    private final Map<K, Map<Instant, Long>> counts = new HashMap<>();

    interface Receiver<K> {
      void accept(K kind, Instant second, long count);
    }

    /**
     * Empty.
     *
     * @param others used for kinds above the limit
     */
    SecondCounts(K others) {
      this.others = others;
    }

    void add(K kind, Instant at) {
      K kept = counts.containsKey(kind) || counts.size() < MOST_KINDS ? kind : others;
      counts
          .computeIfAbsent(kept, key -> new HashMap<>())
          .merge(Instant.ofEpochSecond(at.getEpochSecond()), 1L, Long::sum);
    }

    void forEach(Receiver<K> receiver) {
      counts.forEach(
          (kind, seconds) -> seconds.forEach((second, n) -> receiver.accept(kind, second, n)));
    }
  }
}
