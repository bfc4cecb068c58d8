package io.gcdiag.read.text;

import io.gcdiag.evidence.jvm.ClassHistogram;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.read.bytes.ClockAlignment;
import io.gcdiag.read.bytes.FileHead;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.InputFormat;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.TimeText;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

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
    HistogramText text;
    Optional<String> damage;
    try (InputStream in = file.bytes().open()) {
      LineSource lines = new LineSource(in);
      text = HistogramText.read(lines);
      damage = lines.damage();
    }
    List<ParsedHistogram> tables = text.tables();
    if (tables.isEmpty()) {
      throw new IOException("no class histogram in it, though it has the heading of one");
    }
    intake.timeline().signal(Signal.CLASS_HISTOGRAMS, SignalState.SEEN);
    intake.afterLogs(clocks -> tables.forEach(table -> place(file, table, clocks, intake)));
    if (text.seen() > tables.size()) {
      intake.note(
          "%s: of its %s class histograms %s are used, evenly spread"
              .formatted(file.name(), text.seen(), tables.size()));
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

  private static void place(
      InputFile file, ParsedHistogram table, ClockAlignment clocks, IngestContext intake) {
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
                Source.line(file.name(), table.line())));
  }

  private static Optional<Instant> at(InputFile file, TimeText time, ClockAlignment clocks) {
    return time.instant()
        .or(() -> time.local().map(local -> clocks.ofLocal(file.name(), local)))
        .or(() -> time.uptime().flatMap(up -> clocks.jvmStart().map(start -> start.plus(up))));
  }
}
