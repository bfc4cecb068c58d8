package io.gcdiag.ingest.gclog;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Logs of JDK 8 and earlier ({@code -verbose:gc}, {@code -XX:+PrintGCDetails}), any collector.
 *
 * <pre>
 * 2020-03-25T16:16:18.390+0800: 1294233.934: [GC (Allocation Failure) 2020-03-25T16:16:18.391+0800:
 *   1294233.935: [ParNew: 1770060K->25950K(1922432K), 0.0317141 secs] 2105763K->361653K(4019584K),
 *   0.0323010 secs] [Times: user=0.12 sys=0.00, real=0.04 secs]
 * </pre>
 *
 * <p>A pause is whatever {@code [GC} or {@code [Full GC} opens and its own bracket closes, however
 * many lines and inner records lie between: so what is nested or written in between by a concurrent
 * thread is counted once and cannot break the record. The stamp is that of the start.
 *
 * <p>The same lines go to GCToolkit, see {@link GcToolkitReader}: where both agree on the number
 * and the length of the pauses, GCToolkit adds what is missing here; where they do not, its figures
 * are left out and a note says so.
 */
final class BracketLogParser implements GcLogParser {

  /**
   * Records such as {@code [GC concurrent-mark-start]} and {@code [GC Worker Start} are no pauses.
   */
  private static final String GC = "\\[(?:Full GC|GC)(?![A-Za-z]|-[a-z]| ?concurrent| Worker)";

  private static final String STAMP =
      "(?:(?<date>\\d{4}-\\d\\d-\\d\\dT[\\d:.,]+(?:[+-]\\d{4}|Z)): ?)?"
          + "(?:#(?<id>\\d{1,9}): ?)?(?:(?<uptime>\\d{1,12}[.,]\\d{3}): ?)?(?:#(?<id2>\\d{1,9}): ?)?";

  private static final Pattern START = Pattern.compile(GC);
  private static final Pattern START_OF_LINE = Pattern.compile("\\s*" + STAMP + GC);
  private static final Pattern STAMP_BEFORE = Pattern.compile(STAMP + "$");

  private static final Pattern STAMP_AT_START = Pattern.compile(STAMP);

  /** So much text in front of a record holds any stamp. */
  private static final int LONGEST_STAMP = 80;

  /** {@code {Heap before GC}: addresses in half-open intervals, whose brackets never close. */
  private static final Pattern HEAP_AT_GC = Pattern.compile("\\[0x[0-9a-f]+, ?0x");

  /**
   * {@code OpenJDK 64-Bit Server VM (25.504-b01) for linux-amd64 JRE (1.8.0_504-b01), built on};
   * not the line of a crash report that has the same words behind its name.
   */
  private static final Pattern HEADER =
      Pattern.compile("(?!vm_info: ).* VM \\(.*\\) for .* JRE \\(([^)]+)\\).*");

  private static final String HEADER_WORD = " VM (";

  private static final Pattern FLAG = Pattern.compile("-XX:(?:([+-])(\\w+)|(\\w+)=(\\S+))");

  private static final String FLAGS = "CommandLine flags: ";

  /** Lines that only such logs have. */
  private static final Pattern OTHER =
      Pattern.compile("\\[(?:CMS-concurrent-|GC concurrent-|G1Ergonomics |Times: user=)");

  private final LogCollector log;
  private final GcToolkitLines toolkitLines = new GcToolkitLines();
  private final Dates dates = new Dates();
  private BracketRecord current;
  private boolean stamped;
  private long withoutTime;

  BracketLogParser(LogCollector log) {
    this.log = log;
  }

  /** A pause with a time or a stamp, the header of JDK 8, the line on stopped threads. */
  static boolean recognises(String line) {
    return line.contains(SafepointLines.STOPPED)
        || line.startsWith(FLAGS)
        || line.contains(HEADER_WORD) && HEADER.matcher(line).matches()
        || mayStart(line)
            && START.matcher(line).find()
            && (line.contains(" secs]") || line.contains(": ["))
        || line.contains("[CMS-concurrent-");
  }

  @Override
  public boolean accept(String line, long number) {
    toolkitLines.add(line);
    stamped = !line.isEmpty() && Character.isDigit(line.charAt(0));
    if (line.contains(SafepointLines.STOPPED)) {
      return stopped(line, number);
    }
    if (line.contains("[0x") && HEAP_AT_GC.matcher(line).find()) {
      return true;
    }
    Matcher start = START_OF_LINE.matcher(line);
    boolean another = mayStart(line) && start.lookingAt();
    if (current != null && another && !current.isInterrupted()) {
      abandon();
    }
    if (current != null) {
      carryOn(line, 0, number);
      return true;
    }
    if (another) {
      current = new BracketRecord(stamp(start, dates), gcId(start));
      log.startsOver(current.start(), number);
      carryOn(line, line.indexOf('['), number);
      return true;
    }
    return isDetail(line) && detail(line.strip()) || records(line, 0, number) || header(line);
  }

  private static boolean isDetail(String line) {
    return line.contains("[Times: ") || line.contains("[Eden: ");
  }

  @Override
  public boolean stamped() {
    return stamped;
  }

  /** Whether a line can hold the start of a record; asked of every line. */
  private static boolean mayStart(String line) {
    return line.contains("[GC") || line.contains("[Full GC");
  }

  private static boolean mayBeOther(String line) {
    return line.contains("oncurrent-") || line.contains("[G1Ergo") || line.contains("[Times: ");
  }

  /** Opens the record that begins in the line, if any. */
  private boolean records(String line, int from, long number) {
    if (line.indexOf('[', from) < 0) {
      return false;
    }
    Matcher start = START.matcher(line);
    if (!mayStart(line) || !start.find(from)) {
      return mayBeOther(line) && OTHER.matcher(line).find();
    }
    String before = line.substring(Math.max(from, start.start() - LONGEST_STAMP), start.start());
    Matcher stamp = STAMP_BEFORE.matcher(before);
    current =
        stamp.find()
            ? new BracketRecord(stamp(stamp, dates), gcId(stamp))
            : new BracketRecord(LogStamp.NONE, OptionalLong.empty());
    log.startsOver(current.start(), number);
    carryOn(line, start.start(), number);
    return true;
  }

  private void carryOn(String line, int from, long number) {
    int end = current.feed(line, from);
    if (end < 0) {
      if (current.tooLong()) {
        abandon();
      }
      return;
    }
    Optional<LoggedPause> pause = BracketPause.of(current, number);
    if (pause.isPresent()) {
      collector(current.all());
      log.add(pause.get());
    } else {
      withoutTime++;
    }
    current = null;
    String rest = line.substring(end).strip();
    if (pause.isPresent() && !rest.isEmpty()) {
      detail(rest);
    }
    records(line, end, number);
  }

  private void abandon() {
    withoutTime++;
    current = null;
  }

  /** What follows a pause: its CPU times and, of G1, the sizes of the heap. */
  private boolean detail(String text) {
    Optional<LoggedPause> last = log.lastPause();
    if (last.isEmpty() || !text.startsWith("[Times: ") && !text.startsWith("[Eden: ")) {
      return false;
    }
    LoggedPause pause = last.get();
    Optional<CpuTimes> cpu = BracketPause.cpu(text);
    if (cpu.isPresent() && pause.cpu().isEmpty()) {
      log.replaceLast(pause.withCpu(cpu.get()));
    } else if (pause.heap().young().isEmpty()) {
      BracketPause.details(text, pause.heap())
          .ifPresent(heap -> log.replaceLast(pause.withHeap(heap)));
    }
    return true;
  }

  private boolean header(String line) {
    Matcher header = HEADER.matcher(line);
    if (line.contains(HEADER_WORD) && header.matches()) {
      log.jvmVersion(header.group(1));
      return true;
    }
    if (line.startsWith("Memory: ")) {
      log.fact("Memory", line.substring("Memory: ".length()).strip());
      return true;
    }
    if (line.startsWith(FLAGS)) {
      Matcher flag = FLAG.matcher(line);
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
    return line.startsWith("{Heap before GC")
        || line.startsWith("Heap after GC")
        || line.equals("}")
        || line.equals("Heap")
        || line.startsWith("GC locker: ")
        || line.contains(" GC log file ")
        || line.startsWith(" ")
        || Character.isDigit(line.isEmpty() ? ' ' : line.charAt(0))
            && firstStamp(line, dates).isPresent();
  }

  private void collectorByFlag(String flag) {
    switch (flag) {
      case "UseG1GC" -> log.collector("G1");
      case "UseConcMarkSweepGC" -> log.collector("CMS");
      case "UseParallelGC", "UseParallelOldGC" -> log.collector("Parallel");
      case "UseSerialGC" -> log.collector("Serial");
      case "UseShenandoahGC" -> log.collector("Shenandoah");
      default -> {
        // Not a choice of a collector.
      }
    }
  }

  private void collector(String text) {
    if (log.knowsCollector()) {
      return;
    }
    if (text.contains("[ParNew") || text.contains("CMS")) {
      log.collectorByContent("CMS");
    } else if (text.contains("[PSYoungGen") || text.contains("[ParOldGen")) {
      log.collectorByContent("Parallel");
    } else if (text.contains("[DefNew") || text.contains("[Tenured")) {
      log.collectorByContent("Serial");
    } else if (text.startsWith("[GC pause") || text.contains("G1 ") || text.contains("[G1")) {
      log.collectorByContent("G1");
    }
  }

  private boolean stopped(String line, long number) {
    int at = line.indexOf(SafepointLines.STOPPED);
    return SafepointLines.read(line.substring(at), stampBefore(line, at), "", number, log);
  }

  /** The stamp that ends there: nearly always it begins the line too. */
  private LogStamp stampBefore(String line, int at) {
    Matcher atStart = STAMP_AT_START.matcher(line);
    if (atStart.region(0, at).lookingAt() && atStart.end() == at) {
      return stamp(atStart, dates);
    }
    Matcher stamp = STAMP_BEFORE.matcher(line.substring(Math.max(0, at - LONGEST_STAMP), at));
    return stamp.find() ? stamp(stamp, dates) : LogStamp.NONE;
  }

  /** The first stamp of a line that begins with one. */
  static Optional<LogStamp> firstStamp(String line, Dates dates) {
    Matcher matcher = STAMP_AT_START.matcher(line);
    if (!matcher.lookingAt()) {
      return Optional.empty();
    }
    return Optional.of(stamp(matcher, dates)).filter(LogStamp::isPresent);
  }

  private static LogStamp stamp(Matcher matcher, Dates dates) {
    Optional<Instant> date = Optional.ofNullable(matcher.group("date")).flatMap(dates::parse);
    Optional<Duration> uptime =
        Optional.ofNullable(matcher.group("uptime")).flatMap(Figures::seconds);
    return new LogStamp(date, uptime);
  }

  private static OptionalLong gcId(Matcher matcher) {
    String id = matcher.group("id") == null ? matcher.group("id2") : matcher.group("id");
    return id == null ? OptionalLong.empty() : OptionalLong.of(Long.parseLong(id));
  }

  @Override
  public void finish() {
    if (current != null) {
      log.note("the log ends inside a pause, which is left out");
    }
    if (withoutTime > 0) {
      log.note("records of pauses without an end or a time are left out: " + withoutTime);
    }
    GcToolkitReader.compareWith(log, toolkitLines);
  }
}
