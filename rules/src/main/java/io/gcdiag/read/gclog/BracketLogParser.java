package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PausePart;
import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.evidence.jvm.PauseType;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.gclog.GcLog.LoggedCycle;
import io.gcdiag.read.gclog.GcLog.LoggedPhase;
import io.gcdiag.read.gclog.GcLogFormat.GcLogParser;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Logs of JDK 8 and earlier ({@code -verbose:gc}, {@code -XX:+PrintGCDetails}), any collector.
 *
 * <pre>
 * 2020-03-25T16:16:18.390+0800: 1294233.934: [GC (Allocation Failure) 2020-03-25T16:16:18.391+0800:
 * 1294233.935: [ParNew: 1770060K->25950K(1922432K), 0.0317141 secs] 2105763K->361653K(4019584K),
 * 0.0323010 secs] [Times: user=0.12 sys=0.00, real=0.04 secs]
 * </pre>
 *
 * <p>A pause is everything from {@code [GC} or {@code [Full GC} to the matching bracket, over any
 * number of lines and inner records. So text that a concurrent thread writes in between counts once
 * and cannot break the record. The timestamp is that of the start.
 */
final class BracketLogParser implements GcLogParser {

  private final GcLog log;
  private final BracketMarks marks = new BracketMarks();
  private final PauseStore pauses;
  private final BracketPause reader = new BracketPause();
  private final BracketHeader header;
  private final Dates dates = new Dates();
  private final YoungLines young;
  private final ShenandoahLines shenandoah;
  private final PhaseRecords phases;
  private BracketRecord current;

  /** Whether its time is that in front of the line, which is written at its end. */
  private boolean inFront;

  private boolean stamped;
  private boolean stopsAreTimed;

  BracketLogParser(GcLog log) {
    log.jdks("8 or earlier");
    this.log = log;
    this.pauses = log.pauses;
    this.header = new BracketHeader(log);
    this.young = new YoungLines(log);
    this.shenandoah = new ShenandoahLines(log, dates);
    this.phases = new PhaseRecords(log);
  }

  /**
   * Whether the line is a pause with a time or a timestamp, the header of JDK 8, or the line about
   * stopped threads.
   */
  static boolean recognises(Line line) {
    BracketMarks marks = new BracketMarks();
    marks.look(line, 0);
    return marks.stopped >= 0
        || BracketHeader.isOne(line)
        || marks.record >= 0 && (line.contains(" secs]") || line.contains(": ["))
        || line.contains("[CMS-concurrent-")
        || SafepointLines.isStatistics(line)
        || ShenandoahLines.isOne(line);
  }

  @Override
  public boolean accept(Line line, long number) {
    stamped = line.length() > 0 && Character.isDigit(line.charAt(0));
    boolean known = parse(line, number);
    phases.ofDetails(line);
    return known;
  }

  private boolean parse(Line line, long number) {
    marks.look(line, 0);
    if (marks.stopped >= 0) {
      LogStamp end = BracketStamp.before(line, 0, marks.stopped, dates).stamp();
      stopsAreTimed = true;
      return SafepointLines.read(line, marks.stopped, end, "", number, log);
    }
    if (marks.addresses) {
      return true;
    }
    Optional<BracketStamp> another = startOfLine(line);
    if (current != null && another.isPresent() && !current.isInterrupted()) {
      abandon(number);
    }
    if (current != null) {
      if (!isRowOfHistogram(line)) {
        carryOn(line, 0, number);
      }
      return true;
    }
    if (another.isPresent()) {
      open(another.get(), line, number);
      return true;
    }
    return shenandoah.read(line, number)
        || SafepointLines.statistics(line, stopsAreTimed, number, log)
        || marks.details() >= 0 && detail(line.substring(marks.details()).strip())
        || records(line, 0, number)
        || header.read(line)
        || stamped && firstStamp(line, dates).isPresent();
  }

  @Override
  public boolean stamped() {
    return stamped;
  }

  private Optional<BracketStamp> startOfLine(Line line) {
    if (marks.record < 0) {
      return Optional.empty();
    }
    int from = 0;
    while (from < marks.record && Character.isWhitespace(line.charAt(from))) {
      from++;
    }
    return Optional.of(BracketStamp.at(line, from, marks.record, dates))
        .filter(stamp -> stamp.end() == marks.record);
  }

  private void open(BracketStamp stamp, Line line, long number) {
    LogStamp start = stamp.stamp();
    inFront = false;
    if (start.wallClock().isEmpty()) {
      long front = log.timeInFront(line, marks.record, start.uptimeNanos());
      inFront = !start.isPresent() && front != Nanos.NO_TIME;
      start = inFront ? LogStamp.of(front, Nanos.NO_TIME) : start;
    }
    current = new BracketRecord(start, stamp.gcId());
    log.startsOver(current.start, number);
    carryOn(line, marks.record, number);
  }

  /** Begins the record in the line, if any; the marks must be of the same part of it. */
  private boolean records(Line line, int from, long number) {
    if (marks.record < 0) {
      return marks.concurrent || marks.phase;
    }
    open(BracketStamp.before(line, from, marks.record, dates), line, number);
    return true;
  }

  private void carryOn(Line line, int from, long number) {
    int end = current.feed(line, from);
    if (end < 0) {
      if (current.tooLong()) {
        abandon(number);
      }
      return;
    }
    boolean read = reader.add(current, inFront, number, pauses);
    if (read) {
      String record = current.all();
      if (!log.knowsCollector()) {
        header.collector(record);
      }
      young.ofRecord(record);
      phases.ofRecord(record);
    } else {
      log.leftOut(current.start, number);
    }
    current = null;
    if (end == line.length()) {
      return;
    }
    if (read) {
      detail(line.substring(end).strip());
    }
    marks.look(line, end);
    records(line, end, number);
  }

  /**
   * Whether a line is a row of the class histogram that {@code
   * -XX:+PrintClassHistogramBeforeFullGC} prints inside a full GC: {@code 12: 66310 9278640 [C}.
   * Its names of array classes contain unmatched brackets.
   */
  private static boolean isRowOfHistogram(Line line) {
    int rank = afterNumber(line, 0);
    if (rank < 0 || rank >= line.length() || line.charAt(rank) != ':') {
      return false;
    }
    int instances = afterNumber(line, rank + 1);
    return instances >= 0 && afterNumber(line, instances) >= 0;
  }

  /** End of the number that begins there, possibly after spaces; -1 if there is none. */
  private static int afterNumber(Line line, int from) {
    int begin = from;
    while (begin < line.length() && line.charAt(begin) == ' ') {
      begin++;
    }
    int end = begin;
    while (end < line.length() && LogNumbers.isDigit(line.charAt(end))) {
      end++;
    }
    return end > begin ? end : -1;
  }

  private void abandon(long number) {
    log.leftOut(current.start, number);
    current = null;
  }

  /** Lines after a pause: its CPU times and, for G1, the heap sizes. */
  private boolean detail(String text) {
    if (!text.startsWith("[Times: ") && !text.startsWith("[Eden: ")) {
      return false;
    }
    int row = pauses.last();
    if (row < 0) {
      return false;
    }
    if (!BracketDetails.cpu(text, pauses, row)) {
      BracketDetails.heap(text).ifPresent(heap -> pauses.heap(row, heap));
    }
    return true;
  }

  /** The first timestamp of a line that begins with one. */
  static Optional<LogStamp> firstStamp(CharSequence line, Dates dates) {
    return Optional.of(BracketStamp.at(line, 0, line.length(), dates).stamp())
        .filter(LogStamp::isPresent);
  }

  @Override
  public void finish() {
    if (current != null) {
      log.note("the log ends inside a pause, which is left out");
    }
  }

  /** Details that logs of JDK 8 and earlier print after a pause. */
  private static final class BracketDetails {

    /**
     * G1's line of details: {@code [Eden: 7168.0K(7168.0K)->0.0B(4096.0K) Survivors: 0.0B->1024.0K
     * Heap: 10240.0K(65536.0K)->3352.5K(65536.0K)]}.
     */
    private static final String HEAP = " Heap: ";

    /**
     * {@code [Times: user=0.12 sys=0.00, real=0.04 secs]}, at the beginning of a text.
     *
     * @return whether they were set
     */
    static boolean cpu(String text, PauseStore pauses, int row) {
      if (!text.startsWith("[Times: user=")) {
        return false;
      }
      int user = text.indexOf('=') + 1;
      int userEnd = text.indexOf(" sys=", user);
      int system = userEnd + " sys=".length();
      int systemEnd = userEnd < 0 ? -1 : text.indexOf(" real=", system);
      int real = systemEnd + " real=".length();
      int realEnd = systemEnd < 0 ? -1 : text.indexOf(" secs]", real);
      if (realEnd < 0) {
        return false;
      }
      boolean comma = text.charAt(systemEnd - 1) == ',';
      return pauses.cpu(
          row,
          LogNumbers.nanosOfSeconds(text, user, userEnd),
          LogNumbers.nanosOfSeconds(text, system, systemEnd - (comma ? 1 : 0)),
          LogNumbers.nanosOfSeconds(text, real, realEnd));
    }

    /** The heap sizes in G1's line of details, for the pause before it. */
    static Optional<HeapChange> heap(String text) {
      int heap = text.indexOf(HEAP);
      if (heap < 0) {
        return Optional.empty();
      }
      int end = Math.max(heap, text.indexOf(']', heap));
      return SizeText.wholeChange(text, Math.min(end, heap + HEAP.length()), end);
    }
  }

  /**
   * Phases of a pause in logs of JDK 8 and earlier: {@code [weak refs processing, 0.0022 secs]}
   * inside the record of a remark, {@code [Ref Proc: 12.3 ms]} after the record of a G1 collection,
   * {@code [WeakReference, 201 refs, 0.0000261 secs]} with {@code PrintReferenceGC}. Of a phase
   * that each worker does a part of, the slowest one counts: {@code [Ext Root Scanning (ms): Min:
   * 3.1, Avg: 4.4, Max: 5.4, Diff: 2.3, Sum: 44.0]}.
   */
  private static final class PhaseRecords {

    /** Shorter phases are ignored. */
    private static final Duration LEAST = Duration.ofMillis(1);

    private static final Pattern PHASE =
        Pattern.compile(
            "\\[(?:(GC ref-proc|weak refs processing|[Uu]nloading|class unloading|\\w+Reference"
                + "|JNI Weak Reference), (?:\\d+ refs, )*([\\d.,]+) secs\\]"
                + "|(Ref Proc|Code Root \\w+|Evacuation Failure|String Dedup Fixup): ([\\d.,]+) ms[],]"
                + "|((?:Ext|Code) Root Scanning|Object Copy) \\(ms\\):(?:.*Max:)? +([\\d.]+)[,\\]].*)");

    private final GcLog log;
    private final PauseStore pauses;

    PhaseRecords(GcLog log) {
      this.log = log;
      this.pauses = log.pauses;
    }

    private static boolean areIn(String record) {
      return record.contains("[weak refs processing, ")
          || record.contains("[GC ref-proc, ")
          || record.contains("Reference, ");
    }

    /** Reads the phases in the record of the last pause. */
    void ofRecord(String record) {
      if (areIn(record)) {
        read(record);
      }
    }

    /** Reads a line of details of the last pause. */
    void ofDetails(Line line) {
      if (pauses.last() >= 0
          && line.length() > 0
          && line.charAt(0) == ' '
          && (line.contains("[Ref Proc: ")
              || line.contains(" Root ")
              || line.contains("[Object Copy")
              || line.contains("[String Dedup ")
              || line.contains("[Evacuation Failure: "))) {
        read(line.toString());
      }
    }

    private void read(String text) {
      int row = pauses.last();
      Duration pause = Duration.ofNanos(pauses.nanos(row));
      Matcher phase = PHASE.matcher(text);
      while (phase.find()) {
        boolean seconds = phase.group(1) != null;
        int group = seconds ? 1 : phase.group(3) != null ? 3 : 5;
        String name = phase.group(group);
        String figure = phase.group(group + 1);
        Optional<Duration> took =
            seconds
                ? LogNumbers.seconds(figure, 0, figure.length())
                : LogNumbers.millis(figure, 0, figure.length());
        Optional<PausePart> part = PausePart.of(name);
        if (part.isPresent() && took.filter(each -> each.compareTo(LEAST) >= 0).isPresent()) {
          log.phases.add(
              new LoggedPhase(
                  LogStamp.of(pauses, row), pause, part.get(), took.get(), pauses.line(row)));
        }
      }
    }
  }

  /**
   * What a log of JDK 8 or earlier says of its JVM, and the lines that it has beside its records.
   */
  private record BracketHeader(GcLog log) {

    /**
     * {@code OpenJDK 64-Bit Server VM (25.504-b01) for linux-amd64 JRE (1.8.0_504-b01), built on};
     * but not the line of a crash report with the same words after {@code vm_info: }.
     */
    private static final Pattern VERSION =
        Pattern.compile("(?!vm_info: ).* VM \\(.*\\) for .* JRE \\(([^)]+)\\).*");

    private static final String VERSION_WORD = " VM (";

    private static final Pattern FLAG = Pattern.compile("-XX:(?:([+-])(\\w+)|(\\w+)=(\\S+))");

    private static final String FLAGS = "CommandLine flags: ";
    private static final String MEMORY = "Memory: ";

    /** Beginnings of lines that are ignored; lines of details begin with a blank. */
    private static final List<String> OTHER =
        List.of(" ", "{Heap before GC", "Heap after GC", "GC locker: ");

    /** Whether the line is of a JVM's start. */
    static boolean isOne(Line line) {
      return line.startsWith(FLAGS, 0)
          || line.contains(VERSION_WORD) && VERSION.matcher(line).matches();
    }

    /** Reads the line; returns whether such logs have lines like it. */
    boolean read(Line line) {
      for (String word : OTHER) {
        if (line.startsWith(word, 0)) {
          return true;
        }
      }
      if (line.startsWith(FLAGS, 0)) {
        Matcher flag = FLAG.matcher(line.toString());
        while (flag.find()) {
          if (flag.group(1) == null) {
            log.fact(flag.group(3), flag.group(4));
          } else {
            log.fact(flag.group(2), Boolean.toString(flag.group(1).equals("+")));
            if (flag.group(1).equals("+")) {
              collectorByFlag(flag.group(2));
            }
          }
        }
        return true;
      }
      if (line.startsWith(MEMORY, 0)) {
        log.fact("Memory", line.substring(MEMORY.length()).strip());
        return true;
      }
      if (line.contains(VERSION_WORD)) {
        Matcher version = VERSION.matcher(line);
        if (version.matches()) {
          log.jvmVersion(version.group(1));
          return true;
        }
      }
      return line.length() == 1 && line.charAt(0) == '}'
          || line.length() == 4 && line.startsWith("Heap", 0)
          || line.contains(" GC log file ");
    }

    private void collectorByFlag(String flag) {
      switch (flag) {
        case "UseG1GC" -> log.collector("G1");
        case "UseConcMarkSweepGC" -> log.collector("CMS");
        case "UseParallelGC", "UseParallelOldGC" -> log.collector("Parallel");
        case "UseSerialGC" -> log.collector("Serial");
        case "UseShenandoahGC" -> log.collector("Shenandoah");
        default -> {
          // Not a flag that selects a collector.
        }
      }
    }

    /** Derives the collector from a record, for a log that has not stated it. */
    void collector(String record) {
      if (record.contains("CMS")) {
        log.collectorByContent("CMS");
      } else if (record.contains("[ParNew")) {
        log.collectorByContent("ParNew");
      } else if (record.contains("[PSYoungGen") || record.contains("[ParOldGen")) {
        log.collectorByContent("Parallel");
      } else if (record.contains("[DefNew") || record.contains("[Tenured")) {
        log.collectorByContent("Serial");
      } else if (record.startsWith("[GC pause")
          || record.contains("G1 ")
          || record.contains("[G1")) {
        log.collectorByContent("G1");
      }
    }
  }

  /** What a line of JDK 8 or earlier holds, told in one look at its characters. */
  private static final class BracketMarks {

    static final int NOWHERE = -1;

    /**
     * Records such as {@code [GC concurrent-mark-start]} and {@code [GC Worker Start} are no
     * pauses. Right behind these words, {@code PrintAdaptiveSizePolicy} of JDK 6 and earlier writes
     * something of its own.
     */
    private static final Pattern RECORD =
        Pattern.compile("\\[(?:Full )?GC(?!(?!AdaptiveSize)[A-Za-z]|-[a-z]| concurrent| Worker)");

    /** A half-open interval, whose bracket is never closed. */
    private static final Pattern INTERVAL = Pattern.compile("\\[0x[0-9a-f]+, ?0x");

    /** Where the first record of a pause begins. */
    private int record;

    /** Where the words on stopped threads begin. */
    private int stopped;

    /** Whether the line shows memory addresses, as {@code Heap before GC} does. */
    private boolean addresses;

    private int details;
    private boolean concurrent;

    /** Whether the line is of a concurrent phase, so that CPU times in it belong to that. */
    private boolean phase;

    void look(Line line, int from) {
      record = NOWHERE;
      stopped = NOWHERE;
      addresses = false;
      details = NOWHERE;
      concurrent = false;
      phase = false;
      for (int i = line.indexOfEither('[', 'T', from);
          i >= 0;
          i = line.indexOfEither('[', 'T', i + 1)) {
        if (line.charAt(i) == '[') {
          bracket(line, i);
        } else if (stopped == NOWHERE && line.startsWith(SafepointLines.STOPPED, i)) {
          stopped = i;
        }
      }
    }

    private void bracket(Line line, int at) {
      if (at + 1 == line.length()) {
        return;
      }
      switch (line.charAt(at + 1)) {
        case 'G', 'F' -> {
          if (record == NOWHERE && isAt(RECORD, line, at)) {
            record = at;
          }
          phase |= line.startsWith("[GC concurrent-", at) || line.startsWith("[G1Ergonomics ", at);
        }
        case 'C' -> phase |= line.startsWith("[CMS-concurrent-", at);
        case 'T' -> {
          detail(line, "[Times: ", at);
          concurrent |= line.startsWith("[Times: user=", at);
        }
        case 'E' -> detail(line, "[Eden: ", at);
        case '0' -> addresses |= isAt(INTERVAL, line, at);
        default -> {
          // Other characters are skipped.
        }
      }
    }

    private void detail(Line line, String word, int at) {
      if (details == NOWHERE && line.startsWith(word, at)) {
        details = at;
      }
    }

    private static boolean isAt(Pattern word, Line line, int at) {
      return word.matcher(line).region(at, line.length()).lookingAt();
    }

    /** Where the line has more of the pause before it: CPU times, or heap sizes of G1. */
    int details() {
      return phase || record != NOWHERE ? NOWHERE : details;
    }
  }

  /**
   * Lines of Shenandoah of JDK 8, which has the words of unified logs in brackets of its own. A
   * pause is written when it ends.
   *
   * <pre>
   * 2022-08-17T16:25:40.252+0800: 295.036: [Pause Degenerated GC (Update Refs), start]
   * 2022-08-17T16:25:40.436+0800: 295.220: [Pause Degenerated GC (Update Refs) 3941M-&gt;1733M(3966M),
   *   184.489 ms]
   * 295.301: [Concurrent cleanup 3941M-&gt;1733M(3966M), 0.346 ms]
   * </pre>
   */
  record ShenandoahLines(GcLog log, Dates dates) {

    private static final String PAUSE = "[Pause ";
    private static final String CONCURRENT = "[Concurrent ";
    private static final String END = " ms]";

    /** One group for the name, one for the sizes, one for the time. */
    private static final Pattern ENDED =
        Pattern.compile(
            "\\[((?:Pause|Concurrent) [^,\\]]{1,80}?)"
                + "(?: (\\d{1,9}[BKMG]->\\d{1,9}[BKMG]\\(\\d{1,9}[BKMG]\\)))?"
                + ", (\\d{1,9}[.,]\\d{1,3}) ms\\]");

    /** How the lines between begin, of which nothing is read. */
    private static final String[] BETWEEN = {"Trigger: ", "Free: ", "[Metaspace: "};

    /** Whether the line ends a pause or phase. */
    static boolean isOne(Line line) {
      return opening(line) >= 0 && line.contains(END);
    }

    private static int opening(Line line) {
      int pause = line.indexOf(PAUSE, 0);
      return pause >= 0 ? pause : line.indexOf(CONCURRENT, 0);
    }

    /** Takes what the line says; whether it is one that such logs have. */
    boolean read(Line line, long number) {
      int open = opening(line);
      if (open < 0) {
        for (String word : BETWEEN) {
          if (line.startsWith(word, 0)) {
            return true;
          }
        }
        return false;
      }
      Matcher ended = ENDED.matcher(line.substring(open));
      LogStamp end = BracketStamp.before(line, 0, open, dates).stamp();
      if (ended.lookingAt()) {
        log.startsOver(end, number);
        ended(ended, end, number);
        return true;
      }
      return line.contains(", start]");
    }

    private void ended(Matcher line, LogStamp end, long number) {
      Optional<Duration> time = LogNumbers.millis(line.group(3));
      String sizes = line.group(2) == null ? "" : line.group(2);
      Optional<HeapChange> size = SizeText.change(sizes, 0, sizes.length());
      String name = line.group(1);
      if (time.isEmpty()) {
        return;
      }
      if (!log.knowsCollector()) {
        log.collector("Shenandoah");
      }
      if (name.startsWith("Pause ")) {
        PauseName pause = PauseName.of(name);
        LogStamp start = end.minus(time.get());
        PauseStore pauses = log.pauses;
        int row =
            pauses.add(
                start.wallNanos(),
                start.uptimeNanos(),
                Nanos.of(time.get()),
                new PauseType(pause.kind(), pause.cause(), false),
                -1,
                number);
        size.ifPresent(heap -> pauses.heap(row, heap));
      } else if (name.startsWith("Concurrent cleanup") && !sizes.isEmpty()) {
        size.ifPresent(
            heap -> log.cycles.add(new LoggedCycle(end, heap.usedAfter(), true, number)));
      }
    }
  }
}
