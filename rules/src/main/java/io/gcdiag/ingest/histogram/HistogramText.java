package io.gcdiag.ingest.histogram;

import io.gcdiag.evidence.heap.ClassHistogram.Scope;
import io.gcdiag.ingest.text.LineSource;
import io.gcdiag.ingest.text.TimeText;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Finds the tables in a text, between whatever other lines. */
final class HistogramText {

  /** Stands in the heading of every dialect. */
  static final String MARK = "#instances";

  static final Pattern HEADING =
      Pattern.compile(
          "num\\s+#instances\\s+#bytes\\s+[Cc]lass (?:name(?: \\(module\\))?|description)");

  /**
   * How far above a heading its time may stand: a process number and an empty line come between.
   */
  private static final int LINES_ABOVE = 4;

  /** Tables kept of one file; a log may hold two for each full GC. */
  static final int MOST_TABLES = 128;

  private final List<ParsedHistogram> tables = new ArrayList<>();
  private final Deque<String> above = new ArrayDeque<>();
  private Optional<HistogramTable> table = Optional.empty();
  private int stride = 1;
  private long seen;

  static HistogramText read(LineSource lines) throws IOException {
    HistogramText text = new HistogramText();
    for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
      text.line(line.get(), lines.number());
    }
    text.end();
    return text;
  }

  /** The tables, in the order of the text. */
  List<ParsedHistogram> tables() {
    return tables;
  }

  /** How many tables the text has; of very many, only some are kept. */
  long seen() {
    return seen;
  }

  private void line(String line, long number) {
    if (line.contains(MARK)) {
      Matcher heading = HEADING.matcher(line);
      if (heading.find()) {
        end();
        TimeText own = TimeText.in(line.substring(0, heading.start()));
        table =
            Optional.of(new HistogramTable(own.isPresent() ? own : timeAbove(), scope(), number));
        above.clear();
        return;
      }
    }
    if (table.isPresent()) {
      if (table.get().ends(line)) {
        end();
      }
      return;
    }
    if (above.size() == LINES_ABOVE) {
      above.removeFirst();
    }
    above.addLast(line);
  }

  private TimeText timeAbove() {
    for (Iterator<String> lines = above.descendingIterator(); lines.hasNext(); ) {
      TimeText time = TimeText.in(lines.next());
      if (time.isPresent()) {
        return time;
      }
    }
    return TimeText.NONE;
  }

  /** The JVM's own log says on which side of a full GC it counted. */
  private Scope scope() {
    for (Iterator<String> lines = above.descendingIterator(); lines.hasNext(); ) {
      String line = lines.next();
      if (line.contains("Class Histogram (after full gc)")) {
        return Scope.LIVE;
      }
      if (line.contains("Class Histogram (before full gc)")) {
        return Scope.ALL;
      }
    }
    return Scope.UNSTATED;
  }

  private void end() {
    table.filter(ended -> !ended.isEmpty()).map(HistogramTable::build).ifPresent(this::keep);
    table = Optional.empty();
  }

  /**
   * Of very many tables every second, then every fourth is kept, and so on: growth stays visible.
   */
  private void keep(ParsedHistogram parsed) {
    if (seen++ % stride != 0) {
      return;
    }
    tables.add(parsed);
    if (tables.size() > MOST_TABLES) {
      stride *= 2;
      for (int i = tables.size() - 1; i > 0; i--) {
        if (i % 2 == 1) {
          tables.remove(i);
        }
      }
    }
  }
}
