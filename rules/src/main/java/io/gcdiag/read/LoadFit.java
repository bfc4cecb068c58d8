package io.gcdiag.read;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * Whether the requests of a load test can be those whose waits were recorded. A request takes at
 * least as long as it waits, and by Little's law no more threads wait for requests than there are
 * requests in progress. A load test of another endpoint or service, or in another unit, says
 * nothing of these waits and would hide them.
 */
final class LoadFit {

  /** Rates and means of a run are those of its middle: room for its ends. */
  private static final double ROOM = 1.25;

  /** Health checks and requests that outlived the test are so many at most. */
  private static final long FEW = 20;

  /** One request in a hundred is beyond it, and each may wait a few times. */
  private static final double BEYOND_TAIL = 0.05;

  private LoadFit() {}

  /** Files of load tests that cannot be of the recorded requests, with the reason as words. */
  static Map<String, String> contradicted(Timeline timeline) {
    List<WaitSeries> waits =
        timeline.waits().stream()
            .filter(series -> series.site().onRequestThread())
            .filter(series -> series.site().kind() != WaitKind.IDLE)
            .toList();
    Map<String, String> files = new TreeMap<>();
    for (RequestStats stats : timeline.requestStats()) {
      contradiction(stats, waits, timeline).ifPresent(why -> files.put(stats.source().file(), why));
    }
    return files;
  }

  private static Optional<String> contradiction(
      RequestStats stats, List<WaitSeries> waits, Timeline timeline) {
    Optional<Duration> slowest = stats.longest().or(() -> stats.percentile(Percentiles.TAIL));
    OptionalDouble inProgress = inProgress(stats);
    if (slowest.isEmpty() || inProgress.isEmpty() || stats.requests().isEmpty()) {
      return Optional.empty();
    }
    Duration limit = Durations.ofSeconds(ROOM * Durations.seconds(slowest.get()));
    long longer =
        waits.stream().mapToLong(series -> series.count() - series.countShorterThan(limit)).sum();
    double allowed =
        FEW + (stats.longest().isPresent() ? 0 : BEYOND_TAIL * stats.requests().getAsLong());
    double waiting = WaitSeries.seconds(waits, timeline.span()) / timeline.span().seconds();
    if (longer <= allowed || waiting <= ROOM * inProgress.getAsDouble() + 1) {
      return Optional.empty();
    }
    return Optional.of(
        ("of other requests than those recorded, or in another unit: %s%s and %s"
                + " requests were in progress, while request threads waited longer than that %s"
                + " times in the recording, %s at a time on average")
            .formatted(
                stats.longest().isPresent() ? "its slowest request took " : "its P99 is ",
                Durations.format(slowest.get()),
                Numbers.threeDigits(inProgress.getAsDouble()),
                Numbers.count(longer),
                Numbers.threeDigits(waiting)));
  }

  /** Little's law: rate x mean latency. */
  private static OptionalDouble inProgress(RequestStats stats) {
    return stats.rate().isPresent() && stats.mean().isPresent()
        ? OptionalDouble.of(stats.rate().get().perSecond() * Durations.seconds(stats.mean().get()))
        : OptionalDouble.empty();
  }
}
