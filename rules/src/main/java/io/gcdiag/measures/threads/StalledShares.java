package io.gcdiag.measures.threads;

import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.util.Map;
import java.util.TreeMap;

/**
 * The share of the requests in service that wait for memory, over a window. It is constant within a
 * bucket of waits. Times are nanoseconds after the window's start.
 */
public final class StalledShares {

  private static final long STEP = WaitSeries.BUCKET.toNanos();

  /** The share that applies from each time on. */
  private final TreeMap<Long, Double> shares = new TreeMap<>(Map.of(0L, 0.0));

  private StalledShares() {}

  public static StalledShares of(Timeline timeline, Window window, Rate rate) {
    double inService =
        timeline
            .mainRequestStats()
            .flatMap((RequestStats stats) -> stats.percentile(Percentiles.MEDIAN))
            .map(median -> rate.perSecond() * Durations.seconds(median))
            .orElse(0.0);
    StalledShares found = new StalledShares();
    WaitingThreads.at(UserWaits.of(timeline, WaitKind.ALLOCATION_STALL))
        .forEach(
            window,
            (step, waiting) -> {
              double share = Math.min(1, waiting / Math.max(Policy.FEWEST_QUEUED, inService));
              found.shares.put(step * STEP, share);
              found.shares.put((step + 1) * STEP, 0.0);
            });
    return found;
  }

  public double at(long at) {
    return shares.floorEntry(at).getValue();
  }

  /** The next time at which the share changes. */
  public long nextEdge(long at) {
    Long next = shares.higherKey(at);
    return next == null ? Long.MAX_VALUE : next;
  }
}
