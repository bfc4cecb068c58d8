package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.VmOperations;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineFeed;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The content of a GC log. Parsers add what they find, pauses directly to {@linkplain #pauses()
 * their store}. It detects when the log starts over. After {@linkplain #finish finish} it is
 * immutable.
 */
final class GcLog {

  /** Limit for a log without safepoints; the rules need a few more bytes for each pause. */
  private static final int MOST = 1_285_000;

  /**
   * Bytes for pauses and safepoints: 750,000 pauses with a safepoint each, as in a detailed log of
   * a gigabyte.
   */
  private static final long MOST_BYTES = 60_000_000;

  /**
   * Log lines of several threads may be out of order by milliseconds. An uptime that decreases by
   * more than this is another run of the JVM.
   */
  private static final long DISORDER_NANOS = Duration.ofSeconds(1).toNanos();

  /**
   * Collectors that may run together, or whose lines also appear with CMS, which a later line then
   * shows.
   */
  private static final List<String> SHARED = List.of("Serial", "ParNew", "CMS");

  private static final double PERCENT = 100;

  /** All safepoints, if the log has them, with the same limit. */
  final LoggedStalls stalls = new LoggedStalls();

  /**
   * The store to which parsers add all stop-the-world pauses, in the order in which they ended;
   * beyond a limit only the latest are kept.
   */
  final PauseStore pauses = new PauseStore();

  private final long mostBytes;

  /** Cycles of a concurrent collector, in the order in which they ended. */
  final List<LoggedCycle> cycles = new ArrayList<>();

  /** Waits for memory, in the order in which they ended. */
  final List<LoggedWait> waits = new ArrayList<>();

  final List<StarvedThread> starved = new ArrayList<>();
  private final List<LoggedRegions> humongous = new ArrayList<>();
  private final List<LoggedYoung> young = new ArrayList<>();

  /** The longer phases inside pauses, in order. */
  final KeptPhases phases = new KeptPhases(KeptPhases.MOST);

  private final List<String> notes = new ArrayList<>();
  private final SortedMap<String, String> facts = new TreeMap<>();
  private String collector;
  private String collectorByContent = "";
  private String jvmVersion;
  private String jdks = "";
  private boolean bothFamilies;
  private final RunFacts runs = new RunFacts();
  private int largestShare;
  private Optional<Bytes> capacity = Optional.empty();
  private final UnreadRecords unread = new UnreadRecords();
  private String wrapper = "";
  private long startInFront = Nanos.NO_TIME;
  private long uptime;
  private int restarts;
  private long firstRestart;
  private long pausesAtSafepoint;
  private LogExtent extent =
      new LogExtent(LogStamp.NONE, LogStamp.NONE, 0, 0, 0, 1, Optional.empty());

  public GcLog() {
    this(MOST_BYTES);
  }

  /** Keeps at most that many bytes of pauses and safepoints, the latest ones. */
  GcLog(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  /** Drops the oldest pauses and safepoints while there are too many. */
  void makeRoom() {
    while (pauses.size() > MOST || pauses.bytes() + stalls.bytes() > mostBytes) {
      boolean stallsFirst =
          stalls.size() > 0 && (pauses.size() == 0 || stalls.line(0) < pauses.line(0));
      if (!(stallsFirst && stalls.dropOldest()) && !pauses.dropOldest()) {
        return;
      }
    }
  }

  /** Checks a timestamp; true if the uptime shows that the log has started over. */
  boolean startsOver(LogStamp stamp, long line) {
    return startsOver(stamp.uptimeNanos(), line);
  }

  /**
   * The same for an uptime.
   *
   * @param now nanoseconds, or {@link Nanos#NO_TIME}
   */
  boolean startsOver(long now, long line) {
    if (now == Nanos.NO_TIME) {
      return false;
    }
    boolean back = now < uptime - DISORDER_NANOS;
    if (back) {
      restarted(line);
    }
    uptime = back ? now : Math.max(now, uptime);
    return back;
  }

  /** What the next line is wrapped in, such as a JSON object with its time. */
  void wrapped(String text) {
    wrapper = text;
  }

  /**
   * The time that a container runtime, journald or a service wrapper put in front of a line, or
   * around it; that of a wrapper has no zone, and is taken for UTC.
   *
   * @param to where the line itself begins
   * @param since the uptime that the line states, or {@link Nanos#NO_TIME}
   * @return nanoseconds since 1970, or {@link Nanos#NO_TIME}
   */
  long timeInFront(Line line, int to, long since) {
    if (to < TimeText.SHORTEST && wrapper.isEmpty()) {
      return Nanos.NO_TIME;
    }
    TimeText time = TimeText.in(wrapper.isEmpty() ? line.substring(0, to) : wrapper);
    long at =
        time.instant()
            .or(() -> time.local().map(local -> local.toInstant(ZoneOffset.UTC)))
            .map(Nanos::since1970)
            .orElse(Nanos.NO_TIME);
    if (at != Nanos.NO_TIME && since != Nanos.NO_TIME) {
      // Lines may be written late.
      boolean first = startInFront == Nanos.NO_TIME || at - since < startInFront;
      startInFront = first ? at - since : startInFront;
    }
    return at;
  }

  /** When the JVM started, by what is in front of lines with an uptime; empty if unknown. */
  Optional<Instant> startInFront() {
    return startInFront == Nanos.NO_TIME || restarts > 0
        ? Optional.empty()
        : Optional.of(Nanos.instant(startInFront));
  }

  /** Another run of a JVM begins at that line. */
  void restarted(long line) {
    restarts++;
    firstRestart = firstRestart == 0 ? line : firstRestart;
  }

  /** From that line on the log has another format, so it is of another JVM. */
  void otherFamily(long line) {
    restarted(line);
    uptime = 0;
    bothFamilies = true;
    notes.add("from line " + line + " on its lines are those of another JDK");
  }

  /** Adds a safepoint that ended at that time. */
  void addStall(LogStamp end, Duration reaching, Duration at, String name, long line) {
    boolean collection = pauses.count() > pausesAtSafepoint || VmOperations.isCollection(name);
    pausesAtSafepoint = pauses.count();
    stalls.add(end.minus(reaching.plus(at)), reaching, at, name, collection, line);
  }

  /**
   * Records heap use after a cycle together with its share of the maximum heap; the larger the
   * share, the more exact the maximum.
   */
  void shareOfHeap(Bytes used, int percent) {
    if (percent > largestShare) {
      largestShare = percent;
      capacity = Optional.of(Bytes.of(Math.round(used.value() * PERCENT / percent)));
    }
  }

  /**
   * A thread that gave up an allocation because of JNI critical sections.
   *
   * @param line the line it was read from, counted from 1
   */
  record StarvedThread(LogStamp at, String name, long line) {}

  /** Adds humongous regions; of many collections in one second the largest number is kept. */
  void addRegions(LoggedRegions regions) {
    int last = humongous.size() - 1;
    if (last < 0 || !humongous.get(last).end().isInSecondOf(regions.end())) {
      humongous.add(regions);
    } else if (regions.before() > humongous.get(last).before()) {
      humongous.set(last, regions);
    }
  }

  /** Adds a young collection; those of one second are summed up. */
  void add(LoggedYoung collection) {
    int last = young.size() - 1;
    if (last >= 0 && young.get(last).isInSecondOf(collection)) {
      young.set(last, young.get(last).and(collection));
    } else {
      young.add(collection);
    }
  }

  void collector(String name) {
    runs.saw("collector", name);
    if (collector == null) {
      collector = name;
    }
  }

  /** Records the collector, from something that only this collector prints. */
  void collectorByContent(String name) {
    boolean tellsMore = SHARED.indexOf(name) > SHARED.indexOf(collectorByContent);
    if (!knowsCollector() && (tellsMore || !SHARED.contains(name))) {
      collectorByContent = name;
    }
  }

  boolean knowsCollector() {
    int shared = SHARED.indexOf(collectorByContent);
    return collector != null
        || !collectorByContent.isEmpty() && (shared < 0 || shared == SHARED.size() - 1);
  }

  boolean isCollectedBy(String name) {
    return name.equals(collector == null ? collectorByContent : collector);
  }

  void jvmVersion(String version) {
    runs.saw("version", version);
    if (jvmVersion == null) {
      jvmVersion = version;
    }
  }

  /** Records which JDKs write such a log, as far as its format shows. */
  void jdks(String range) {
    jdks = range;
  }

  /** Adds a setting; of several runs in one file the first one's is kept. */
  void fact(String name, String value) {
    if (name.equals("MaxHeapSize")) {
      runs.saw("maximum heap", LogFacts.inBytes(name, value));
    }
    facts.putIfAbsent(name, value);
  }

  void note(String text) {
    notes.add(text);
  }

  /** Records that a pause that ends, or breaks off, at that line could not be read. */
  void leftOut(LogStamp start, long line) {
    unread.add(start, line);
  }

  /**
   * Called after the whole file was read.
   *
   * @param first the first timestamp in it
   */
  void finish(LogStamp first, LogStamp last, LineFeed lines, long notUnderstood, long firstOfThem) {
    StampOrder order = StampOrder.of(pauses);
    int count = order.newestFirst() ? 1 : 1 + restarts;
    order.note().ifPresent(notes::add);
    if (count > 1) {
      notes.add(
          "the log starts over "
              + (restarts == 1 ? "once, at line " : restarts + " times, first at line ")
              + firstRestart
              + ": the file holds several runs of a JVM, or parts in the wrong order");
    }
    runs.differences().ifPresent(notes::add);
    if (pauses.size() == 0) {
      notes.add("the log has no pause of a collector");
    }
    pauses.forgotten().ifPresent(notes::add);
    phases.leftOut().ifPresent(notes::add);
    unread.text().ifPresent(notes::add);
    lines.damage().ifPresent(notes::add);
    if (lines.hadLongLine()) {
      notes.add("lines longer than " + LineSource.LONGEST_LINE + " characters were cut");
    }
    extent =
        new LogExtent(
            first, last, lines.number(), notUnderstood, firstOfThem, count, unread.text());
  }

  /** The JVM that wrote it. */
  LogOrigin origin() {
    Optional<String> name =
        Optional.ofNullable(collector == null ? collectorByContent : collector)
            .filter(text -> !text.isEmpty());
    return new LogOrigin(
        name,
        Optional.ofNullable(jvmVersion),
        bothFamilies ? "8 or earlier, then 9 or later" : jdks,
        facts);
  }

  LogExtent extent() {
    return extent;
  }

  /**
   * The maximum heap, derived from shares that cycles state, accurate to about a percent; empty if
   * they state none.
   */
  Optional<Bytes> capacity() {
    return capacity;
  }

  /**
   * Humongous regions, for each second those of the collection with the largest number; collections
   * without any are left out.
   */
  List<LoggedRegions> humongous() {
    return List.copyOf(humongous);
  }

  /** Young collections with sizes of the young generation, summed up by second. */
  List<LoggedYoung> young() {
    return List.copyOf(young);
  }

  /**
   * Notes for the reader of the result: truncated files, several runs, doubtful numbers; each a
   * lower-case sentence without a final period.
   */
  List<String> notes() {
    return List.copyOf(notes);
  }

  /**
   * The phases inside pauses: all of them up to a limit, above which only the longer ones are kept.
   */
  static final class KeptPhases {

    /** Some 15 MB. A detailed log has one or two for each longer pause. */
    private static final int MOST = 50_000;

    /** The initial threshold, which is also that of the readers. */
    private static final Duration LEAST = Duration.ofMillis(1);

    final List<LoggedPhase> phases = new ArrayList<>();
    private final int most;
    private Duration least = LEAST;

    KeptPhases(int most) {
      this.most = most;
    }

    void add(LoggedPhase phase) {
      if (phase.duration().compareTo(least) >= 0) {
        phases.add(phase);
      }
      while (phases.size() > most) {
        least = least.multipliedBy(2);
        phases.removeIf(each -> each.duration().compareTo(least) < 0);
      }
    }

    /** A sentence about what is left out, if anything is. */
    Optional<String> leftOut() {
      return least.equals(LEAST)
          ? Optional.empty()
          : Optional.of(
              "of the phases inside its pauses those shorter than "
                  + Durations.format(least)
                  + " are not analysed, as there are too many");
    }
  }

  /**
   * The facts that the runs of JVMs in one log state. The first run's are used, so differences of a
   * later run have to be reported, for example after a deployment.
   */
  private static final class RunFacts {

    /** If a file was joined from all kinds of logs, not every value is listed. */
    private static final int MOST = 4;

    private final Map<String, Set<String>> seen = new TreeMap<>();

    void saw(String what, String value) {
      Set<String> values = seen.computeIfAbsent(what, any -> new LinkedHashSet<>());
      if (values.size() < MOST) {
        values.add(value);
      }
    }

    /** A sentence about the differences; empty if there are none. */
    Optional<String> differences() {
      String words =
          seen.entrySet().stream()
              .filter(fact -> fact.getValue().size() > 1)
              .map(
                  fact ->
                      fact.getKey()
                          + " "
                          + fact.getValue().stream()
                              .map(RunFacts::readable)
                              .collect(Collectors.joining(" and ")))
              .collect(Collectors.joining(", "));
      return words.isEmpty()
          ? Optional.empty()
          : Optional.of("its runs differ: " + words + "; the first one's count for all");
    }

    private static String readable(String value) {
      return value.chars().allMatch(Character::isDigit) && !value.isEmpty()
          ? Bytes.parse(value).toString()
          : value;
    }
  }

  /** Number and time span of pauses that could not be read. */
  private static final class UnreadRecords {

    private long count;
    private long firstLine;
    private long lastLine;
    private LogStamp first = LogStamp.NONE;
    private LogStamp last = LogStamp.NONE;

    /** Adds a pause that ended, or was given up, at that line. */
    void add(LogStamp start, long line) {
      count++;
      firstLine = count == 1 ? line : firstLine;
      lastLine = line;
      if (start.isPresent()) {
        first = first.isPresent() ? first : start;
        last = start;
      }
    }

    /** {@code 3 records of pauses are left out ...: lines 12 to 480, uptime 1.5 s to 9 min}. */
    Optional<String> text() {
      if (count == 0) {
        return Optional.empty();
      }
      boolean one = count == 1;
      String lines = one ? "line " + firstLine : "lines " + firstLine + " to " + lastLine;
      String from = time(first);
      String to = time(last);
      String times = from.equals(to) ? from : from + " to " + to;
      return Optional.of(
          Numbers.count(count)
              + (one ? " record of a pause is" : " records of pauses are")
              + " left out, without an end or a time: "
              + lines
              + (first.isPresent() ? (first.wallClock().isPresent() ? ", " : ", uptime ") : "")
              + times);
    }

    private static String time(LogStamp stamp) {
      return stamp
          .wallClock()
          .map(Object::toString)
          .or(() -> stamp.uptime().map(Durations::format))
          .orElse("");
    }
  }

  /**
   * The order of a log's timestamps. An export from a log store often has the newest first. In a
   * log without uptimes only the order shows that its clock was set back, or that its parts are in
   * the wrong order.
   */
  private static final class StampOrder {

    /** Fewer steps back than this may be consecutive runs of a JVM. */
    private static final long FEW = 8;

    private long before = Nanos.NO_TIME;
    private long latest = Nanos.NO_TIME;
    private long forth;
    private long back;
    private long jumps;
    private long firstJump;
    private long farthest;

    private StampOrder() {}

    /** The order of the pauses' times before they are put on the common clock. */
    static StampOrder of(PauseStore pauses) {
      StampOrder order = new StampOrder();
      for (int row = 0; row < pauses.size(); row++) {
        order.see(pauses.start(row), pauses.uptime(row), pauses.line(row));
      }
      return order;
    }

    private void see(long wallClock, long uptime, long line) {
      long now = wallClock == Nanos.NO_TIME ? uptime : wallClock;
      if (now == Nanos.NO_TIME) {
        return;
      }
      if (before != Nanos.NO_TIME) {
        forth += now > before ? 1 : 0;
        back += now < before ? 1 : 0;
      }
      before = now;
      if (uptime == Nanos.NO_TIME && latest != Nanos.NO_TIME && now < latest - DISORDER_NANOS) {
        jumps++;
        firstJump = firstJump == 0 ? line : firstJump;
        farthest = Math.max(farthest, latest - now);
        latest = now;
      }
      latest = Math.max(latest, now);
    }

    /** Whether the lines are in reverse order. */
    boolean newestFirst() {
      return back > FEW && back > 2 * forth;
    }

    /** A note about the order, if there is anything to say. */
    Optional<String> note() {
      if (newestFirst()) {
        return Optional.of("its newest lines come first; each line is read at its own time");
      }
      if (jumps == 0) {
        return Optional.empty();
      }
      return Optional.of(
          ("its times go back %s, by up to %s, first at line %s: the clock was set, or"
                  + " parts stand in the wrong order; the times count as they stand")
              .formatted(
                  jumps == 1 ? "once" : jumps + " times",
                  Durations.format(Duration.ofNanos(farthest)),
                  firstJump));
    }
  }

  /**
   * The JVM that wrote a log.
   *
   * @param collector {@code G1}, {@code Parallel}, {@code Serial}, {@code CMS}, {@code ZGC}, {@code
   *     Shenandoah} or {@code Epsilon}; from the line that names it, otherwise from lines that only
   *     that collector prints
   * @param jvmVersion the version as printed, such as {@code 17.0.15+6}
   * @param jdks which JDKs write logs of that format, such as {@code 9 to 13}
   * @param facts settings under the name of their flag if there is one ({@code MinHeapSize}, {@code
   *     InitialHeapSize}, {@code MaxHeapSize}, {@code G1HeapRegionSize}), otherwise in the log's
   *     own words ({@code CPUs}, {@code Memory}); values as printed
   */
  record LogOrigin(
      Optional<String> collector,
      Optional<String> jvmVersion,
      String jdks,
      SortedMap<String, String> facts) {

    public LogOrigin {
      facts = Collections.unmodifiableSortedMap(new TreeMap<>(facts));
    }
  }

  /**
   * The extent of a log.
   *
   * @param first the first timestamp in it; {@link LogStamp#NONE} if there is none
   * @param last the last timestamp in it; {@link LogStamp#NONE} if there is none
   * @param lines lines in the file
   * @param linesNotUnderstood lines that are not of the log's format, such as an application's
   *     output
   * @param firstNotUnderstood the first of them, counted from 1; 0 if there is none
   * @param runs number of runs of the JVM that it seems to contain: one more than the times that
   *     the uptime decreased
   * @param unread number and time span of pauses that could not be read; empty if none
   */
  record LogExtent(
      LogStamp first,
      LogStamp last,
      long lines,
      long linesNotUnderstood,
      long firstNotUnderstood,
      int runs,
      Optional<String> unread) {}

  /**
   * Humongous regions before and after a G1 collection.
   *
   * @param end when the line was written, at the collection's end
   * @param before regions before it, 0 or more
   * @param after regions after it, 0 or more
   * @param line the line it was read from, counted from 1
   */
  record LoggedRegions(LogStamp end, int before, int after, long line) {}

  /**
   * A thread that waited for a concurrent collector to free memory, or was slowed down by it.
   *
   * @param end when the wait ended; for a thread that was slowed down, when the collector's cycle
   *     ended
   * @param duration length of the wait, at least 0; for a thread that was slowed down, the total in
   *     the cycle
   * @param thread its name
   * @param paced whether it was slowed down and not stalled
   * @param line the line it was read from, counted from 1
   */
  record LoggedWait(LogStamp end, Duration duration, String thread, boolean paced, long line) {}

  /**
   * One cycle of ZGC or Shenandoah in a log.
   *
   * @param end when it ended
   * @param usedAfter heap in use when it ended, in the log's resolution
   * @param whole whether it collected the whole heap, not only the young generation
   * @param line the line it was read from, counted from 1
   */
  record LoggedCycle(LogStamp end, Bytes usedAfter, boolean whole, long line) {}

  /**
   * Time of one phase in a pause.
   *
   * @param start when the pause began
   * @param pause length of the whole pause
   * @param duration length of the phase
   * @param line the pause's line, counted from 1
   */
  record LoggedPhase(
      LogStamp start, Duration pause, PausePart part, Duration duration, long line) {}

  /**
   * Young generation over some young collections, in bytes or in regions.
   *
   * @param stamp time of the last of them
   * @param before in use before them, sum of all
   * @param survived of these still alive after them
   * @param promoted of these promoted to the old generation
   * @param inRegions whether these are numbers of G1's regions
   * @param line the line the last was read from, counted from 1
   */
  record LoggedYoung(
      LogStamp stamp,
      int count,
      long before,
      long survived,
      long promoted,
      boolean inRegions,
      long line) {

    /** Whether both are in the same second and have the same unit. */
    boolean isInSecondOf(LoggedYoung other) {
      return inRegions == other.inRegions && stamp.isInSecondOf(other.stamp);
    }

    LoggedYoung and(LoggedYoung later) {
      return new LoggedYoung(
          later.stamp,
          count + later.count,
          before + later.before,
          survived + later.survived,
          promoted + later.promoted,
          inRegions,
          later.line);
    }
  }
}
