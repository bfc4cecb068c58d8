package io.gcdiag.ingest.jfr.waits;

import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.waits.OverflowTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/** Sums up how long request threads wait at work that an executor has no thread for. */
final class Overflow {

  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final Map<Long, Long> nanosBySecond = new TreeMap<>();

  void add(long startNanos, long nanos) {
    nanosBySecond.merge(Math.floorDiv(startNanos, NANOS_PER_SECOND), nanos, Long::sum);
  }

  void finish(TimelineBuilder timeline, Source source) {
    nanosBySecond.forEach(
        (second, nanos) ->
            timeline.sample(
                new OverflowTime(Instant.ofEpochSecond(second), Duration.ofNanos(nanos), source)));
  }
}
