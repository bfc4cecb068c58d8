package io.gcdiag.ingest.load;

import io.gcdiag.evidence.requests.LoadModel;
import io.gcdiag.evidence.requests.RequestStats;
import io.gcdiag.evidence.source.Source;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import java.util.Set;

/**
 * Reads what {@code ab -e FILE} writes: the latency for every whole percentage of the requests, and
 * nothing else, not even how many there were.
 */
final class AbPercentages {

  /** How such a file begins. */
  static final String HEADER = "Percentage served,Time in ms";

  /** A hundred percentiles would bury a report; these are what ab prints, too. */
  private static final Set<Double> KEPT = Set.of(50.0, 75.0, 90.0, 95.0, 99.0);

  private AbPercentages() {}

  static LoadRun read(Reader rows, LoadText text, String file) throws IOException {
    Table table = new Table(rows, text, ',');
    RequestStats.Builder stats =
        new RequestStats.Builder(AbFormat.PRODUCER, new Source(file, "Percentage served"))
            .model(LoadModel.CLOSED);
    table.next();
    int kept = 0;
    while (table.next()) {
      Optional<Double> percentile = Table.decimal(table.value(0));
      Optional<Double> millis = Table.decimal(table.value(1));
      if (percentile.isEmpty() || millis.isEmpty()) {
        text.damaged();
      } else if (KEPT.contains(percentile.get())) {
        stats.percentile(percentile.get(), LoadFigures.millis(millis.get()));
        kept++;
      }
    }
    if (kept == 0) {
      throw new IOException("no percentage that can be read");
    }
    return LoadRun.of(stats.build());
  }
}
