package io.gcdiag.read.gclog;

import io.gcdiag.evidence.time.LongColumn;
import io.gcdiag.read.bytes.ContainerLine;
import io.gcdiag.read.bytes.Line;
import io.gcdiag.read.bytes.LineFeed;
import io.gcdiag.read.bytes.LineSource;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Reads a HotSpot GC log, of JDK 6 to 25, from its bytes. The format is recognised by content and
 * may change in the middle: {@link UnifiedLogParser} reads unified logs ({@code -Xlog:gc}), {@link
 * BracketLogParser} those of JDK 8 and earlier.
 *
 * <p>One pass; memory use grows with the number of pauses and safepoints and not with the size of
 * the file. The stream is closed by its opener.
 */
final class GcLogReader {

  private GcLogReader() {}

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
   * @throws IOException if the bytes cannot be read, or are not a GC log; one lower-case line says
   *     what was expected
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
    families.finish();
    log.finish(stamp(first, firstUnified), stamp(last, lastUnified), lines, foreign, firstForeign);
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

    void finish() {
      Stream.of(bracketed, unified).filter(Objects::nonNull).forEach(GcLogParser::finish);
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
