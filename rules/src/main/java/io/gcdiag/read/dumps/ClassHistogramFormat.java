package io.gcdiag.read.dumps;

import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.jvm.ClassHistogram.ClassCount;
import io.gcdiag.evidence.jvm.ClassHistogram.Scope;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClassNames;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import io.gcdiag.units.Bytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Class histograms, alone in a file or between other lines. */
public final class ClassHistogramFormat extends InputFormat {

  public ClassHistogramFormat() {
    super("class-histogram", "a class histogram (jcmd PID GC.class_histogram or jmap -histo)");
  }

  @Override
  public boolean recognises(FileHead head) {
    return head.text().contains(HistogramText.MARK)
        && HistogramText.HEADING.matcher(head.text()).find();
  }

  @Override
  public List<String> marks() {
    return List.of(HistogramText.MARK);
  }

  @Override
  public Outcome read(InputFile file, IngestContext intake) throws IOException {
    HistogramText text = new HistogramText();
    Optional<String> damage = LineSource.read(file.bytes(), text::line);
    text.end();
    List<ParsedHistogram> tables = text.tables;
    if (tables.isEmpty()) {
      throw new IOException("no class histogram in it, though it has the heading of one");
    }
    intake.timeline().signal(Signal.CLASS_HISTOGRAMS, SignalState.SEEN);
    intake.afterLogs(
        clocks ->
            tables.forEach(
                table ->
                    intake
                        .timeline()
                        .histogram(
                            new ClassHistogram(
                                at(file, table.time(), clocks),
                                table.scope(),
                                table.instances(),
                                table.bytes(),
                                table.classes(),
                                table.complete(),
                                Source.line(file.name(), table.line())))));
    if (text.seen > tables.size()) {
      intake.note(
          "%s: of its %s class histograms %s are used, evenly spread"
              .formatted(file.name(), text.seen, tables.size()));
    }
    return outcome(tables, damage);
  }

  private static Outcome outcome(List<ParsedHistogram> tables, Optional<String> damage) {
    if (damage.isPresent()) {
      return Outcome.partial(damage.get());
    }
    List<String> cut =
        tables.stream()
            .filter(table -> !table.complete())
            .map(table -> Long.toString(table.line()))
            .toList();
    return cut.isEmpty()
        ? Outcome.COMPLETE
        : Outcome.partial(
            (cut.size() == 1 ? "the class histogram at line " : "class histograms at lines ")
                + String.join(", ", cut)
                + (cut.size() == 1 ? " lacks" : " lack")
                + " lines; the classes that are there are used");
  }

  private static Optional<Instant> at(InputFile file, TimeText time, ClockAlignment clocks) {
    return clocks
        .at(file, time)
        .or(() -> time.uptime().flatMap(up -> clocks.jvmStart().map(start -> start.plus(up))));
  }

  /** Finds the tables in a text with other lines in between. */
  private static final class HistogramText {

    /** Stands in the heading of every dialect. */
    static final String MARK = "#instances";

    static final Pattern HEADING =
        Pattern.compile(
            "num\\s+#instances\\s+#bytes\\s+[Cc]lass (?:name(?: \\(module\\))?|description)");

    /**
     * How far above a heading its time may be: a process number and an empty line may be in
     * between.
     */
    private static final int LINES_ABOVE = 4;

    /** Tables kept of one file; a log may hold two for each full GC. */
    static final int MOST_TABLES = 128;

    private final List<ParsedHistogram> tables = new ArrayList<>();
    private final Deque<String> above = new ArrayDeque<>();
    private Optional<HistogramTable> table = Optional.empty();
    private int stride = 1;

    /** Number of tables in the text; of very many, only some are kept. */
    private long seen;

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

    /** The JVM's own log states whether it counted before or after a full GC. */
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
      table
          .filter(ended -> !ended.classes.isEmpty())
          .map(HistogramTable::build)
          .ifPresent(this::keep);
      table = Optional.empty();
    }

    /**
     * Of very many tables every second is kept, then every fourth, and so on, so that growth stays
     * visible.
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

    private static final class HistogramTable {

      /** More classes than any JVM holds; beyond them lines no longer count. */
      private static final int MOST_LINES = 500_000;

      /** A number that fits any heap, so that the sum of the most lines fits a long. */
      private static final String NUMBER = "(\\d{1,13})";

      /** {@code 1: 50256 12364096 [B (java.base@17.0.15)}, after a log's prefix, if any. */
      private static final Pattern LINE =
          Pattern.compile("(?:^|\\s)(\\d{1,6}):\\s+" + NUMBER + "\\s+" + NUMBER + "\\s+(\\S.*)$");

      private static final Pattern TOTAL =
          Pattern.compile("(?:^|\\s)Total\\s*:?\\s+" + NUMBER + "\\s+" + NUMBER + "\\s*$");

      private static final Pattern MODULE = Pattern.compile(" \\([^()]*\\)$");

      private final TimeText time;
      private final Scope scope;
      private final long heading;
      private final Map<String, ClassCount> classes = new LinkedHashMap<>();
      private int rank;
      private long instances;
      private long bytes;
      private boolean complete;

      HistogramTable(TimeText time, Scope scope, long heading) {
        this.time = time;
        this.scope = scope;
        this.heading = heading;
      }

      /** Reads a line if it belongs to the table; returns whether the table ends with it. */
      boolean ends(String line) {
        Matcher row = LINE.matcher(line);
        if (row.find()) {
          row(row);
          return false;
        }
        Matcher total = TOTAL.matcher(line);
        if (!total.find()) {
          return false;
        }
        long statedInstances = Long.parseLong(total.group(1));
        long statedBytes = Long.parseLong(total.group(2));
        complete = statedInstances == instances && statedBytes == bytes;
        instances = statedInstances;
        bytes = statedBytes;
        return true;
      }

      private void row(Matcher row) {
        int number = Integer.parseInt(row.group(1));
        // A line of the application may look like a row, but does not continue the numbering.
        if (number <= rank || number > MOST_LINES) {
          return;
        }
        rank = number;
        ClassCount count =
            new ClassCount(
                name(row.group(4)),
                Long.parseLong(row.group(2)),
                Bytes.of(Long.parseLong(row.group(3))));
        instances += count.instances();
        bytes += count.bytes().value();
        if (classes.containsKey(count.name()) || classes.size() < ClassHistogram.MOST_CLASSES) {
          classes.merge(count.name(), count, HistogramTable::sum);
        }
      }

      private static ClassCount sum(ClassCount one, ClassCount other) {
        return new ClassCount(
            one.name(), one.instances() + other.instances(), one.bytes().plus(other.bytes()));
      }

      private static String name(String text) {
        // Lines are bytes; only names of classes may contain more than ASCII.
        String utf8 =
            new String(
                text.stripTrailing().getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return ClassNames.source(MODULE.matcher(utf8).replaceFirst("")).intern();
      }

      ParsedHistogram build() {
        List<ClassCount> sorted =
            classes.values().stream()
                .sorted(Comparator.comparing(ClassCount::bytes).reversed())
                .toList();
        return new ParsedHistogram(
            time, scope, instances, Bytes.of(bytes), sorted, complete, heading);
      }
    }
  }

  /**
   * One table as a file holds it.
   *
   * @param time the time before it or just above it
   * @param scope which objects it counts
   * @param bytes what they take
   * @param classes the largest classes, largest first
   * @param complete whether every line of it was read
   * @param line the line of its heading, from 1
   */
  private record ParsedHistogram(
      TimeText time,
      Scope scope,
      long instances,
      Bytes bytes,
      List<ClassCount> classes,
      boolean complete,
      long line) {}
}
