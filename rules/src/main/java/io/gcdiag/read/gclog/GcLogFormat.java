package io.gcdiag.read.gclog;

import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.read.bytes.ContainerLine;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineFeed;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.gclog.GcLog.LogExtent;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** HotSpot's GC logs: reads them and puts their pauses on the common clock. */
public final class GcLogFormat extends InputFormat {

  /** {@code 2026-11-21T05:46:05.799+0100}, with a comma in the logs of some locales. */
  private static final Pattern DATED =
      Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d[.,]\\d{3}([+-]\\d\\d[0-5]\\d)\\b");

  /** Time zones reach up to 14 hours; anything larger is no offset. */
  private static final String WIDEST_OFFSET = "1400";

  public GcLogFormat() {
    super("gc-log", "a HotSpot GC log (-Xlog:gc* or -Xloggc)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return GcLogReader.looksLikeGcLog(head.text());
  }

  @Override
  public List<String> marks() {
    return List.of("] GC(", "[GC (", "[GC [", "[Full GC");
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    GcLog log;
    Optional<String> damage;
    try (Unpacked in = intake.open(file).asText()) {
      log = GcLogReader.read(in);
      damage = in.damage();
    }
    intake.timeline().jvm(LogFacts.of(file, log));
    zone(FileHead.of(file.bytes()).text()).ifPresent(intake.clocks()::zone);
    boolean dated = log.pauses.areTimed();
    intake.timeline().signal(Signal.GC_PAUSES, pauses(log, dated));
    boolean heap = IntStream.range(0, log.pauses.size()).anyMatch(log.pauses::tellsHeap);
    boolean cycles = !log.cycles.isEmpty() && LogFacts.fixedSize(log).isPresent();
    if ((heap || cycles) && dated) {
      intake.timeline().signal(Signal.HEAP_AROUND_GC, SignalState.SEEN);
    }
    if (log.stalls.size() > 0
        && (dated || log.pauses.size() == 0 && log.stalls.areReachedMostly())) {
      intake.timeline().signal(Signal.SAFEPOINTS, SignalState.SEEN);
    }
    intake.afterRecordings(clocks -> LogPlacing.place(file, log, clocks, intake));
    for (String note : log.notes()) {
      intake.note(file.name() + ": " + note);
    }
    LogParts.of(intake).add(file.name(), log);
    if (intake.options().crossCheck()) {
      GcToolkitCheck.run(file, log, intake);
    }
    LogExtent extent = log.extent();
    if (extent.linesNotUnderstood() > 0) {
      intake.note(
          ("%s: %s of its %s lines are not those of a collector's log, the first is line" + " %s")
              .formatted(
                  file.name(),
                  Numbers.count(extent.linesNotUnderstood()),
                  Numbers.count(extent.lines()),
                  extent.firstNotUnderstood()));
    }
    return damage.map(Outcome::partial).orElseGet(() -> outcome(log));
  }

  /** A log without collections may be of a short run, or one whose lines are not understood. */
  private static Outcome outcome(GcLog log) {
    if (log.pauses.size() > 0 || log.stalls.size() > 0 || !log.cycles.isEmpty()) {
      return log.extent().unread().map(Outcome::partial).orElse(Outcome.COMPLETE);
    }
    long foreign = log.extent().linesNotUnderstood();
    return foreign == 0
        ? Outcome.complete("it holds no GC")
        : Outcome.partial("no GC was found in it; lines not understood: " + Numbers.count(foreign));
  }

  /**
   * The JVM's zone, from the first date with an offset. An offset of zero proves nothing, because
   * the {@code utctime} decoration prints it in any zone.
   */
  private static Optional<ZoneOffset> zone(String head) {
    return DATED
        .matcher(head)
        .results()
        .map(date -> date.group(1))
        .filter(offset -> offset.substring(1).compareTo(WIDEST_OFFSET) <= 0)
        .findFirst()
        .map(ZoneOffset::of)
        .filter(offset -> !offset.equals(ZoneOffset.UTC));
  }

  /**
   * A log may contain collections without pauses (ZGC at its lowest level) or pauses without times.
   */
  private static SignalState pauses(GcLog log, boolean dated) {
    if (dated) {
      return SignalState.SEEN;
    }
    return new SignalState(
        SignalState.Kind.NOT_RECORDED,
        Optional.empty(),
        log.pauses.size() == 0 ? "the GC log has none" : "the GC log gives no times");
  }

  /**
   * Reads a HotSpot GC log, of JDK 6 to 25, from its bytes. The format is recognised by content and
   * may change in the middle: {@link UnifiedLogParser} reads unified logs ({@code -Xlog:gc}),
   * {@link BracketLogParser} those of JDK 8 and earlier.
   *
   * <p>One pass; memory use grows with the number of pauses and safepoints and not with the size of
   * the file. The stream is closed by its opener.
   */
  static final class GcLogReader {

    /**
     * Whether a text looks like a GC log.
     *
     * @param head the beginning of the text, some KiB; an application's output may be before and
     *     between the log's lines
     */
    static boolean looksLikeGcLog(String head) {
      return head.lines()
          .map(ContainerLine::unwrap)
          .map(Line::of)
          .anyMatch(line -> UnifiedLogParser.recognises(line) || BracketLogParser.recognises(line));
    }

    /**
     * Reads a whole log. Damage (a truncated or corrupt gzip file, a truncated line, foreign lines,
     * wrong bytes) loses only the affected lines and is reported in the notes.
     *
     * @param in the raw bytes, plain or gzip, in any encoding that contains ASCII
     * @throws IOException if the bytes cannot be read, or are not a GC log; one lower-case line
     *     says what was expected
     */
    static GcLog read(InputStream in) throws IOException {
      try (LineFeed lines = new LineFeed(new LineSource(in))) {
        return read(lines);
      }
    }

    static GcLog read(LineFeed lines) throws IOException {
      GcLog log = new GcLog();
      Families families = new Families(log);
      long foreign = 0;
      long firstForeign = 0;
      Line first = new Line();
      Line last = new Line();
      boolean firstUnified = false;
      boolean lastUnified = false;
      while (lines.advance()) {
        Line line = lines.line();
        if (lines.number() % LongColumn.SEGMENT == 0) {
          log.makeRoom();
        }
        log.wrapped(lines.wrapper());
        boolean known = families.accept(line, lines.number());
        if (!known && !line.isBlank()) {
          foreign++;
          firstForeign = firstForeign == 0 ? lines.number() : firstForeign;
        } else if (known && families.current.stamped()) {
          if (first.length() == 0) {
            first.copy(line);
            firstUnified = families.isUnified();
          }
          last.copy(line);
          lastUnified = families.isUnified();
        }
      }
      if (families.current == null) {
        throw new IOException(
            lines.number() == 0
                ? "the file is empty, expected a gc log"
                : "expected a gc log, but no line of the file is one of a collector");
      }
      Stream.of(families.bracketed, families.unified)
          .filter(Objects::nonNull)
          .forEach(GcLogParser::finish);
      log.finish(
          stamp(first, firstUnified), stamp(last, lastUnified), lines, foreign, firstForeign);
      return log;
    }

    /**
     * The parsers of the formats in one file. If a service was moved from JDK 8 to a later JDK and
     * kept its file, the format changes in the middle.
     */
    private static final class Families {

      private final GcLog log;
      private GcLogParser current;
      private GcLogParser unified;
      private GcLogParser bracketed;

      Families(GcLog log) {
        this.log = log;
      }

      boolean isUnified() {
        return current != null && current == unified;
      }

      boolean accept(Line line, long number) {
        if (current != null && current.accept(line, number)) {
          return true;
        }
        boolean changed = !isUnified() && UnifiedLogParser.recognises(line);
        if (changed) {
          begins(unified, number);
          unified = unified == null ? new UnifiedLogParser(log) : unified;
          current = unified;
        } else if ((current == null || isUnified()) && BracketLogParser.recognises(line)) {
          changed = true;
          begins(bracketed, number);
          bracketed = bracketed == null ? new BracketLogParser(log) : bracketed;
          current = bracketed;
        }
        return changed && current.accept(line, number);
      }

      /** The first line of another format is the start of another JVM. */
      private void begins(GcLogParser family, long number) {
        if (family == null && current != null) {
          log.otherFamily(number);
        }
      }
    }

    private static LogStamp stamp(Line line, boolean unified) {
      if (line.length() == 0) {
        return LogStamp.NONE;
      }
      return unified
          ? Decorations.of(line, Decorations.messageStart(line), new Dates()).stamp()
          : BracketLogParser.firstStamp(line, new Dates()).orElse(LogStamp.NONE);
    }
  }

  /** Reads one family of log formats, line by line, in one pass. */
  public interface GcLogParser {

    /**
     * Reads one line.
     *
     * @param line the line without its end; must not be kept
     * @param number its number in the file, counted from 1
     * @return whether the line is of this format
     */
    boolean accept(Line line, long number);

    /** Finishes the result; called once, after the last line. */
    void finish();

    /** Whether the last accepted line begins with a time. */
    boolean stamped();
  }
}
