package io.gcdiag.read.gclog;

import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.SecondReading.Totals;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Reads a log with GCToolkit as well, to compare the two readings. GCToolkit's reading is used for
 * nothing else; the report states any difference.
 */
final class GcToolkitCheck {

  private static final String READER = "gctoolkit 3.5.0";

  private GcToolkitCheck() {}

  /** Reads the log with GCToolkit, and adds both readings to the timeline. */
  static void run(InputFile file, GcLog log, IngestContext intake) throws IOException {
    GcToolkitLines lines = new GcToolkitLines();
    boolean whole;
    try (InputStream in = Unpacked.open(file.bytes())) {
      whole = lines.take(new LineSource(in));
    }
    Optional<List<Duration>> durations =
        GcToolkitReader.read(lines.lines(), !lines.unified())
            .map(all -> all.stream().map(GcToolkitReader.Reading::duration).toList());
    if (durations.isEmpty()) {
      intake.note(
          "%s was stopped after %s s with %s: there is nothing to compare"
              .formatted(READER, GcToolkitReader.PATIENCE.toSeconds(), file.name()));
      return;
    }
    long last = lines.lastLine();
    List<Duration> own =
        IntStream.range(0, log.pauses().size())
            .takeWhile(row -> whole || log.pauses().line(row) <= last)
            .mapToObj(row -> Duration.ofNanos(log.pauses().nanos(row)))
            .toList();
    String part = whole ? "" : "lines 1 to " + Numbers.count(last);
    intake
        .timeline()
        .secondReading(
            new SecondReading(
                file.name(), READER, part, Totals.of(own), Totals.of(durations.get())));
  }
}
