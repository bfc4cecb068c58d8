package io.gcdiag.ingest.gclog.toolkit;

import io.gcdiag.evidence.source.SecondReading;
import io.gcdiag.evidence.source.SecondReading.Totals;
import io.gcdiag.ingest.format.IngestContext;
import io.gcdiag.ingest.format.InputFile;
import io.gcdiag.ingest.gclog.store.GcLog;
import io.gcdiag.ingest.text.LineSource;
import io.gcdiag.ingest.text.Unpacked;
import io.gcdiag.units.Numbers;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Has GCToolkit read a log too, to compare the two readings. Nothing of its reading is used: where
 * the two differ, the report says so.
 */
public final class GcToolkitCheck {

  private static final String READER = "gctoolkit 3.5.0";

  private GcToolkitCheck() {}

  /** Reads the log with GCToolkit, and gives both readings to the timeline. */
  public static void run(InputFile file, GcLog log, IngestContext intake) throws IOException {
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
