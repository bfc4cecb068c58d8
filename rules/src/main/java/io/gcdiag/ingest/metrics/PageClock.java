package io.gcdiag.ingest.metrics;

import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * When a page was written, as its own values say: when the process started and how long it has run
 * since, both in seconds. Micrometer exports the two; not every server sends a {@code Date}.
 */
final class PageClock {

  private static final String STARTED = "process_start_time_seconds";
  private static final String RUNS_FOR = "process_uptime_seconds";
  private static final double MILLIS_PER_SECOND = 1e3;

  private final Set<Double> started = new HashSet<>();
  private final Set<Double> runsFor = new HashSet<>();

  /** Takes note of a value of the page. */
  void see(String name, double value) {
    if (Double.isFinite(value) && value > 0) {
      if (name.equals(STARTED)) {
        started.add(value);
      } else if (name.equals(RUNS_FOR)) {
        runsFor.add(value);
      }
    }
  }

  /** The instant; empty if the page has not both, or has those of several processes. */
  Optional<Instant> time() {
    OptionalDouble start = only(started);
    OptionalDouble length = only(runsFor);
    return start.isPresent() && length.isPresent()
        ? Optional.of(
            Instant.ofEpochMilli(
                Math.round((start.getAsDouble() + length.getAsDouble()) * MILLIS_PER_SECOND)))
        : Optional.empty();
  }

  private static OptionalDouble only(Set<Double> values) {
    return values.size() == 1
        ? OptionalDouble.of(values.iterator().next())
        : OptionalDouble.empty();
  }
}
