package io.gcdiag.ingest.load;

import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

/**
 * Reads what {@code ab -g FILE} writes: a row for every request, by latency and not by time. It
 * says when each began, to the second, and how long it took, but not whether it failed.
 */
final class AbRequests {

  /** How such a file begins. */
  static final String HEADER = "starttime\tseconds\tctime\tdtime\tttime\twait";

  private static final int SECONDS = 1;
  private static final int TOTAL = 4;
  private static final int COLUMNS = 6;

  private AbRequests() {}

  static LoadRun read(Reader rows, LoadText text, String file) throws IOException {
    Table table = new Table(rows, text, '\t');
    RunRecorder requests = new RunRecorder(true);
    table.next();
    while (table.next()) {
      OptionalLong start = table.number(SECONDS);
      OptionalLong millis = table.number(TOTAL);
      boolean whole = table.row().length >= COLUMNS && start.isPresent() && millis.isPresent();
      if (!whole
          || start.getAsLong() > Instant.MAX.getEpochSecond()
          || millis.getAsLong() > RunRecorder.LONGEST_LATENCY.toMillis()
          || !requests.add(
              Instant.ofEpochSecond(start.getAsLong()),
              Duration.ofMillis(millis.getAsLong()),
              false)) {
        text.damaged();
      }
    }
    Source source = new Source(file, "ttime");
    RequestStats.Builder stats =
        new RequestStats.Builder(AbFormat.PRODUCER, source).model(LoadModel.CLOSED);
    return requests.run(AbFormat.PRODUCER, stats, source);
  }
}
