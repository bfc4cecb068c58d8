package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.gclog.GcLog.LoggedCycle;
import io.gcdiag.read.gclog.GcLog.LoggedPhase;
import io.gcdiag.read.gclog.GcLog.LoggedRegions;
import io.gcdiag.read.gclog.GcLog.LoggedWait;
import io.gcdiag.read.gclog.GcLogFormat.GcLogParser;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Unified logs, {@code -Xlog:gc} to {@code -Xlog:gc*=trace,safepoint}, JDK 9 to 25, any collector.
 *
 * <pre>
 * [0.077s][info][gc,start    ] GC(0) Pause Young (Normal) (G1 Evacuation Pause)
 * [0.082s][info][gc          ] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(66M) 5.487ms
 * [0.082s][info][gc,cpu      ] GC(0) User=0.00s Sys=0.01s Real=0.00s
 * [0.082s][info][safepoint   ] Safepoint "G1CollectForAllocation", Time since last: 31704611 ns, ...
 * </pre>
 *
 * <p>Most lines are on phases, regions and ages, of which nothing is read: a few of their
 * characters tell, and no more is looked at.
 */
final class UnifiedLogParser implements GcLogParser {

  private static final String HUMONGOUS = "Humongous regions: ";
  private static final Pattern NUMBERS = Pattern.compile(HUMONGOUS + "(\\d{1,9})->(\\d{1,9})\\b.*");

  /** Behind the thread's name, of JDK 9 to 23: {@code warning,gc,alloc}. */
  private static final String GAVE_UP = ": Retried waiting for GCLocker too often allocating ";

  private static final String REGION = "Entering safepoint region: ";

  /** A collection's number has at most so many digits. */
  private static final int MOST_DIGITS = 9;

  private static final String NUMBER = "GC(";

  private final GcLog log;
  private final UnifiedPauses pauses;
  private final YoungLines young;
  private final PhaseLines phases;
  private final Dates dates = new Dates();
  private final LineStamp stamp = new LineStamp(dates);
  private String operation = "";
  private boolean collectorNamed;
  private boolean stamped;

  /** Whether a line names the generation that was collected: ZGC does so from JDK 21 on. */
  private boolean generations;

  private boolean nativeImage;

  /** Whether lines begin with names alone, as a known line has shown. */
  private boolean namesInFront;

  /** Whether each stop has a line of its own. */
  private boolean stopsAreTimed;

  UnifiedLogParser(GcLog log) {
    this.log = log;
    this.pauses = new UnifiedPauses(log.pauses);
    this.young = new YoungLines(log);
    this.phases = new PhaseLines(log);
    log.jdks("9 or later");
  }

  /** {@code [gc][284] overhead, spent [4.1s] collecting in the last [4.6s]}. */
  private static final String OF_ELASTICSEARCH = "overhead, spent [";

  /** {@code GC(0) Pause ...}, {@code [gc,init]}, {@code Using G1}: what no other file has. */
  static boolean recognises(Line line) {
    int message = Decorations.messageStart(line);
    if (message < 0) {
      int names = Math.max(0, behindNames(line));
      String text = line.substring(names).strip();
      return UnifiedFacts.isBeginning(text) || textOf(Line.of(text), 0) >= 0;
    }
    String tags = Decorations.of(line, message, new Dates()).tags();
    return tags.equals("gc") && line.indexOf(OF_ELASTICSEARCH, message) < 0
        || tags.startsWith("gc,")
        || tags.startsWith("safepoint")
        || SafepointLines.isOne(line, message)
        || textOf(line, message) >= 0
        || UnifiedFacts.isBeginning(line.substring(message));
  }

  @Override
  public boolean accept(Line line, long number) {
    int message = Decorations.messageStart(line);
    stamped = message >= 0;
    int names = stamped ? -1 : behindNames(line);
    int from = stamped ? message : Math.max(Math.max(0, names), line.indexOf(NUMBER, 0));
    int text = textOf(line, from);
    if (text >= 0) {
      namesInFront |= names == from;
      ofCollection(line, from, text, message, number);
      return true;
    }
    boolean known = ofJvm(line, from, message, number);
    namesInFront |= known && names > 0;
    return known || stamped || namesInFront && names > 0;
  }

  @Override
  public boolean stamped() {
    return stamped;
  }

  @Override
  public void finish() {
    if (nativeImage) {
      log.note(
          "the log of a native image gives pauses, but no size of the heap; for the heap build it"
              + " with --enable-monitoring=jfr and take a recording (-XX:StartFlightRecording)");
    }
    if (generations) {
      log.jdks("21 or later");
    } else if (log.isCollectedBy("CMS")) {
      // JEP 363 took it away in JDK 14.
      log.jdks("9 to 13");
    }
  }

  /**
   * Where the text of a message of one collection begins: behind {@code GC(12) } and, of the
   * generational ZGC, {@code GC(12) Y: }; -1 if it is none.
   */
  private static int textOf(Line line, int from) {
    if (!line.startsWith(NUMBER, from)) {
      return -1;
    }
    int first = from + NUMBER.length();
    int close = first;
    while (close < line.length() && LogNumbers.isDigit(line.charAt(close))) {
      close++;
    }
    if (close == first || close - first > MOST_DIGITS || !line.startsWith(") ", close)) {
      return -1;
    }
    int text = close + 2;
    boolean generation = line.startsWith(": ", text + 1) && "yYoO".indexOf(line.charAt(text)) >= 0;
    return generation ? text + 3 : text;
  }

  private static long idOf(Line line, int from) {
    long id = 0;
    for (int i = from + NUMBER.length(); LogNumbers.isDigit(line.charAt(i)); i++) {
      id = 10 * id + (line.charAt(i) - '0');
    }
    return id;
  }

  private void ofCollection(Line line, int from, int text, int decorated, long number) {
    if (text >= line.length()) {
      return;
    }
    if (YoungLines.isOne(line, text)) {
      young.ofGeneration(line.substring(text).stripTrailing(), idOf(line, from));
    }
    if (PhaseLines.isOne(line, text) && !line.startsWith("Pause ", text)) {
      phases.read(line.substring(text), idOf(line, from));
    }
    switch (line.charAt(text)) {
      case 'P', 'D' -> {
        if (line.startsWith("Pause ", text)) {
          pause(line, from, text, decorated, number);
        } else if (!log.knowsCollector()) {
          UnifiedFacts.byContent(line.substring(text)).ifPresent(log::collectorByContent);
        }
      }
      case 'U' -> {
        if (line.startsWith("User=", text)) {
          pauses.cpu(line, text, idOf(line, from));
        }
      }
      case 'M', 'G', 'C' -> {
        if (CycleLines.isOne(line, text)) {
          generations |= line.startsWith("Minor ", text) || line.startsWith("Major ", text);
          String words = line.substring(text).stripTrailing();
          CycleLines.read(words, decorations(line, decorated).stamp(), number, log);
        }
      }
      case 'H' -> {
        if (isOfRegions(line, text)) {
          LogStamp end = decorations(line, decorated).stamp();
          regions(line.substring(text), end, number, log);
        }
      }
      default -> {
        // Other regions, ages.
      }
    }
  }

  private void pause(Line line, int from, int text, int decorated, long number) {
    stamp.read(line, decorated);
    if (stamp.wallClock() == Nanos.NO_TIME) {
      int front = decorated < 0 ? from : line.indexOf('[', 0);
      stamp.otherwise(log.timeInFront(line, front, stamp.uptime()));
    }
    if (log.startsOver(stamp.uptime(), number)) {
      startOver();
    }
    if (!log.knowsCollector()) {
      UnifiedFacts.byContent(line.substring(text).stripTrailing())
          .ifPresent(log::collectorByContent);
    }
    generations |= line.startsWith(": ", text - 2);
    nativeImage |= line.startsWith(PauseName.NATIVE_FULL, text);
    if (pauses.line(line, text, idOf(line, from), stamp, number)) {
      young.ended(idOf(line, from));
      phases.ended(idOf(line, from));
    }
  }

  private Decorations decorations(Line line, int message) {
    return message < 0 ? new Decorations(LogStamp.NONE, "") : Decorations.of(line, message, dates);
  }

  private boolean ofJvm(Line line, int from, int decorated, long number) {
    if (SafepointLines.statistics(
        from == 0 ? line : Line.of(line.substring(from)), stopsAreTimed, number, log)) {
      return true;
    }
    if (SafepointLines.isOne(line, from)) {
      stopsAreTimed = true;
      LogStamp end = decorations(line, decorated).stamp();
      boolean read = SafepointLines.read(line, from, end, operation, number, log);
      operation = "";
      return read;
    }
    String message = line.substring(from).strip();
    int gaveUp = message.indexOf(GAVE_UP);
    if (gaveUp > 0) {
      LogStamp at = decorations(line, decorated).stamp();
      log.starved.add(new GcLog.StarvedThread(at, message.substring(0, gaveUp), number));
      return true;
    }
    if (StallLines.isOne(message)) {
      return StallLines.read(message, decorations(line, decorated).stamp(), number, log);
    }
    if (message.startsWith(REGION)) {
      operation = message.substring(REGION.length());
      return true;
    }
    Optional<String> collector = UnifiedFacts.collector(message);
    if (collector.isPresent()) {
      named(collector.get(), decorations(line, decorated).stamp(), number);
      return true;
    }
    return UnifiedFacts.read(message, log);
  }

  /** Every run of a JVM names its collector once, at its beginning. */
  private void named(String collector, LogStamp stamp, long number) {
    boolean back = log.startsOver(stamp, number);
    if (collectorNamed && !back) {
      log.restarted(number);
    }
    if (collectorNamed || back) {
      startOver();
    }
    collectorNamed = true;
    log.collector(collector);
  }

  private void startOver() {
    pauses.startOver();
    young.forget();
    phases.parts.clear();
    operation = "";
  }

  /**
   * Whether a message reports that there were large objects, as G1 prints after each collection
   * with {@code gc+heap}: {@code Humongous regions: 12->8}; most report none.
   */
  private static boolean isOfRegions(Line line, int text) {
    return line.startsWith(HUMONGOUS, text) && !line.startsWith("0->0", text + HUMONGOUS.length());
  }

  private static void regions(String message, LogStamp end, long number, GcLog log) {
    Matcher numbers = NUMBERS.matcher(message);
    if (numbers.matches()) {
      log.addRegions(
          new LoggedRegions(
              end, Integer.parseInt(numbers.group(1)), Integer.parseInt(numbers.group(2)), number));
    }
  }

  /**
   * Decorations that say nothing of time, level or subject, and so cannot be recognised by
   * themselves: the machine, the process and the thread ({@code
   * -Xlog:gc:file=gc.log:hostname,pid,tid}).
   *
   * <pre>
   * [web-3][19778][19783] GC(0) Pause Young (Allocation Failure) 17M->12M(61M) 32.285ms
   * </pre>
   */
  private static final Pattern NAMES_IN_FRONT = Pattern.compile("(?:\\[[\\p{L}\\d. _-]+\\]){1,3} ");

  /** Where the message begins behind such decorations; -1 if the line has none. */
  private static int behindNames(Line line) {
    Matcher names = NAMES_IN_FRONT.matcher(line);
    return names.lookingAt() ? names.end() : -1;
  }

  /**
   * The lines that end a cycle of a concurrent collector.
   *
   * <pre>
   * Minor Collection (Allocation Rate) 498M(97%)->500M(98%) 0.152s     (ZGC, JDK 21 on)
   * Major Collection (Allocation Stall) 512M(100%)->504M(98%) 1.203s
   * Garbage Collection (Allocation Rate) 498M(97%)->400M(78%)          (ZGC up to JDK 20)
   * Concurrent cleanup 312M->65M(512M) 0.512ms                         (Shenandoah, up to twice)
   * </pre>
   */
  private static final class CycleLines {

    private static final Pattern ZGC =
        Pattern.compile(
            "(Minor|Major|Garbage) Collection \\(.*\\)"
                + " \\d+[KMG]\\(\\d+%\\)->(\\d+[KMG])\\((\\d{1,3})%\\).*");

    private static final Pattern SHENANDOAH =
        Pattern.compile("Concurrent cleanup .*?\\d+[KMG]->(\\d+[KMG])\\(\\d+[KMG]\\) .*");

    /** Whether the message of a collection begins like one of them. */
    static boolean isOne(Line line, int text) {
      return line.startsWith("Minor Collection (", text)
          || line.startsWith("Major Collection (", text)
          || line.startsWith("Garbage Collection (", text)
          || line.startsWith("Concurrent cleanup ", text);
    }

    /** Reads the message; the line that begins a cycle has no sizes. */
    static void read(String text, LogStamp end, long number, GcLog log) {
      Matcher zgc = ZGC.matcher(text);
      Matcher shenandoah = SHENANDOAH.matcher(text);
      if (zgc.matches()) {
        boolean whole = !zgc.group(1).equals("Minor");
        SizeText.of(zgc.group(2))
            .ifPresent(
                used -> {
                  log.cycles.add(new LoggedCycle(end, used, whole, number));
                  log.shareOfHeap(used, Integer.parseInt(zgc.group(3)));
                });
      } else if (shenandoah.matches()) {
        SizeText.of(shenandoah.group(1))
            .ifPresent(used -> log.cycles.add(new LoggedCycle(end, used, true, number)));
      }
    }
  }

  /**
   * Lines on threads that had to wait inside an allocation.
   *
   * <p>ZGC writes one when the thread goes on (zPageAllocator.cpp, zGeneration.cpp; JDK 11 to 25).
   * Such a line with a collection's number in front is about a thread of the collector.
   *
   * <pre>
   * Allocation Stall (depot-71) 4.502ms
   * Relocation Stall (depot-75) 11.573ms
   * </pre>
   *
   * <p>Shenandoah slows threads down that allocate faster than it frees, in waits of some
   * milliseconds, and writes at the end of each cycle how much that was for each thread since the
   * last one (tag gc+stats; ShenandoahPacer::print_cycle_on).
   *
   * <pre>
   *      33 of   371 ms (  8.8%): ForkJoinPool-1-worker-1
   *      74 of   371 ms ( 19.8%): &lt;total&gt;
   * </pre>
   */
  private static final class StallLines {

    private static final Pattern LINE =
        Pattern.compile("(?:Allocation|Relocation) Stall \\((.*)\\) ([\\d.,]+)ms");

    private static final Pattern PACED =
        Pattern.compile("(\\d+) of +\\d+ ms \\( *[\\d.,]+%\\): (.*)");

    /** The lines that add up the threads above are in brackets. */
    private static final String SUM = "<";

    /** Whether the message begins like one of them. */
    static boolean isOne(String message) {
      return message.startsWith("Allocation Stall (")
          || message.startsWith("Relocation Stall (")
          || message.contains("%): ") && PACED.matcher(message).matches();
    }

    /** Reads the message; whether it was complete. */
    static boolean read(String message, LogStamp end, long number, GcLog log) {
      Matcher paced = PACED.matcher(message);
      if (paced.matches()) {
        if (!paced.group(2).startsWith(SUM)) {
          LogNumbers.millis(paced.group(1))
              .ifPresent(
                  time -> log.waits.add(new LoggedWait(end, time, paced.group(2), true, number)));
        }
        return true;
      }
      Matcher matcher = LINE.matcher(message);
      Optional<Duration> length =
          matcher.matches() ? LogNumbers.millis(matcher.group(2)) : Optional.empty();
      length.ifPresent(
          time -> log.waits.add(new LoggedWait(end, time, matcher.group(1), false, number)));
      return length.isPresent();
    }
  }

  /**
   * Phases of a pause, which {@code gc+phases=debug} prints before its last line: {@code Reference
   * Processing: 12.3ms}, {@code Class Unloading 4.5ms}. Two tags print some of them twice. Of a
   * phase that each worker does a part of, the slowest one counts, for which the others wait:
   * {@code Code Root Scan (ms): Min: 0.0, Avg: 5.7, Max: 46.4, Diff: 46.4, Sum: 57.0, Workers: 10}.
   */
  private static final class PhaseLines {

    /** Shorter ones make no pause long. */
    private static final Duration LEAST = Duration.ofMillis(1);

    private static final String FIRST = "RCWNP ";
    private static final String BY_WORKERS = " Root Scan";
    private static final String COPY = "Object Copy (ms):";

    private final GcLog log;
    private final Map<PausePart, Duration> parts = new EnumMap<>(PausePart.class);
    private long ofCollection = -1;

    PhaseLines(GcLog log) {
      this.log = log;
    }

    /** Whether a message may be of a phase, by its first letter and its end. */
    static boolean isOne(Line line, int text) {
      int end = line.length();
      while (end > text && line.charAt(end - 1) == ' ') {
        end--;
      }
      return FIRST.indexOf(line.charAt(text)) >= 0
          && (line.startsWith("ms", end - 2) || isByWorkers(line, text));
    }

    /** {@code Code Root Scan (ms):}, {@code Object Copy (ms):} and such behind blanks. */
    private static boolean isByWorkers(Line line, int text) {
      int word = text;
      while (word < line.length() && line.charAt(word) == ' ') {
        word++;
      }
      return line.startsWith(BY_WORKERS, word + "Code".length())
          || line.startsWith(BY_WORKERS, word + "Ext".length())
          || line.startsWith(COPY, word);
    }

    /** Keeps what a phase took, if it is one of the parts that are kept. */
    void read(String message, long gcId) {
      String text = message.strip();
      int slowest = text.indexOf("Max: ");
      int end =
          slowest < 0
              ? text.substring(0, text.length() - "ms".length()).stripTrailing().length()
              : text.indexOf(", ", slowest);
      if (end < 0) {
        return;
      }
      int time = Math.max(text.lastIndexOf(' ', end - 1), text.lastIndexOf(':', end - 1)) + 1;
      Optional<PausePart> part = PausePart.of(text.substring(0, time));
      Optional<Duration> took = LogNumbers.millis(text, time, end);
      if (part.isPresent() && took.filter(each -> each.compareTo(LEAST) >= 0).isPresent()) {
        if (gcId != ofCollection) {
          parts.clear();
          ofCollection = gcId;
        }
        parts.merge(part.get(), took.get(), (a, b) -> a.compareTo(b) > 0 ? a : b);
      }
    }

    /** The pause of that collection ended, and was added last. */
    void ended(long gcId) {
      PauseStore pauses = log.pauses;
      int row = pauses.last();
      if (gcId == ofCollection && row >= 0) {
        Duration pause = Duration.ofNanos(pauses.nanos(row));
        parts.forEach(
            (part, took) -> {
              // Phases of a concurrent cycle have its number as well.
              if (took.compareTo(pause) <= 0) {
                log.phases.add(
                    new LoggedPhase(LogStamp.of(pauses, row), pause, part, took, pauses.line(row)));
              }
            });
      }
      parts.clear();
    }
  }

  /** The lines that a unified log begins with: which collector, which version, which sizes. */
  private static final class UnifiedFacts {

    /**
     * {@code Using G1}, {@code Using The Z Garbage Collector}, {@code Using Concurrent Mark Sweep}.
     */
    private static final Pattern USING =
        Pattern.compile(
            "Using (G1|Parallel|Serial|Concurrent Mark Sweep|The Z Garbage Collector|Shenandoah"
                + "|Epsilon)\\b.*");

    /** {@code Version: 25.0.3+9-LTS (release)}. */
    private static final Pattern VERSION = Pattern.compile("Version: (\\S+).*");

    /** {@code Heap Region Size: 1M}, {@code CPUs: 2 total, 2 available}. */
    private static final Pattern SETTING =
        Pattern.compile(
            "(CPUs|Memory|Large Page Support|NUMA Support|Compressed Oops"
                + "|Heap Region Size|Heap region size"
                + "|Heap Min Capacity|Heap Initial Capacity|Heap Max Capacity"
                + "|Min Capacity|Initial Capacity|Max Capacity|Soft Max Capacity"
                + "|Pre-touch|Parallel Workers|Concurrent Workers|GC Workers|Periodic GC"
                + "|Heuristics|Mode): (.+)");

    /** JDK 17 and later with debug: {@code Minimum heap 67108864 Initial heap 67108864 ...}. */
    private static final Pattern DEBUG_SIZES =
        Pattern.compile("Minimum heap (\\d+)  Initial heap (\\d+)  Maximum heap (\\d+)");

    private static final Map<String, String> FLAGS =
        Map.of(
            "Heap Min Capacity", "MinHeapSize",
            "Heap Initial Capacity", "InitialHeapSize",
            "Heap Max Capacity", "MaxHeapSize",
            "Min Capacity", "MinHeapSize",
            "Initial Capacity", "InitialHeapSize",
            "Max Capacity", "MaxHeapSize",
            "Heap Region Size", "G1HeapRegionSize",
            "Heap region size", "G1HeapRegionSize");

    private static final Map<String, String> COLLECTORS =
        Map.of("Concurrent Mark Sweep", "CMS", "The Z Garbage Collector", "ZGC");

    /** Whether a log begins with that message: ZGC's first one comes before it names itself. */
    static boolean isBeginning(String message) {
      return message.startsWith("Initializing The Z Garbage Collector")
          || collector(message).isPresent();
    }

    static Optional<String> collector(String message) {
      if (!message.startsWith("Using ")) {
        return Optional.empty();
      }
      Matcher using = USING.matcher(message);
      return using.matches()
          ? Optional.of(COLLECTORS.getOrDefault(using.group(1), using.group(1)))
          : Optional.empty();
    }

    /** Takes what the message says; true if it was a line of this sort. */
    static boolean read(String message, GcLog log) {
      if (message.indexOf(':') < 0 && !message.startsWith("Minimum heap ")) {
        return false;
      }
      Matcher version = VERSION.matcher(message);
      if (version.matches()) {
        log.jvmVersion(version.group(1));
        return true;
      }
      Matcher setting = SETTING.matcher(message);
      if (setting.matches()) {
        String key = setting.group(1);
        log.fact(FLAGS.getOrDefault(key, key), setting.group(2).strip());
        return true;
      }
      Matcher sizes = DEBUG_SIZES.matcher(message);
      if (sizes.matches()) {
        log.fact("MinHeapSize", sizes.group(1));
        log.fact("InitialHeapSize", sizes.group(2));
        log.fact("MaxHeapSize", sizes.group(3));
        return true;
      }
      return false;
    }

    /** The collector that alone uses such words for a pause or a generation. */
    static Optional<String> byContent(String text) {
      if (text.startsWith("Pause Mark Start") || text.startsWith("Pause Relocate Start")) {
        return Optional.of("ZGC");
      }
      if (text.startsWith("Pause Init ")
          || text.startsWith("Pause Final ")
          || text.startsWith("Pause Degenerated")) {
        return Optional.of("Shenandoah");
      }
      if (text.contains("(G1 ")
          || text.startsWith("Pause Cleanup")
          || text.startsWith("Pause Young (Normal)")
          || text.startsWith("Pause Young (Mixed)")
          || text.startsWith("Pause Young (Prepare Mixed)")
          || text.startsWith("Pause Young (Concurrent Start)")) {
        return Optional.of("G1");
      }
      if (text.startsWith("PSYoungGen")) {
        return Optional.of("Parallel");
      }
      if (text.startsWith("DefNew")) {
        return Optional.of("Serial");
      }
      if (text.startsWith("ParNew") || text.equals("Pause Initial Mark")) {
        return Optional.of("CMS");
      }
      return Optional.empty();
    }
  }
}
