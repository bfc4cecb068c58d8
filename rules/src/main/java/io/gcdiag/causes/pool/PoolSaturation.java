package io.gcdiag.causes.pool;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.threads.WaitingThreads;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.KnownHolds;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.LongSummaryStatistics;

/**
 * How much of the waiting happened while every connection of the pool was at work. Such waits are
 * not lifted by anything but fewer or shorter calls, or more connections. Needs a recording that
 * shows all calls, samples of threads in calls, or dumps. It is asked before the model, because
 * what was seen needs none.
 */
final class PoolSaturation {

  /**
   * The share of the window's waiting for connections, 0 to 1; 0 if neither calls nor dumps show
   * it.
   */
  static double share(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    if (ConnectionsInUse.areMostlyNested(timeline)) {
      return 1;
    }
    if (!DownstreamCalls.areAllSeen(timeline)) {
      boolean bySamples = SampledPool.of(incident).filter(SampledPool::atWork).isPresent();
      return bySamples || byDumps(incident) ? 1 : 0;
    }
    List<WaitSeries> pools = UserWaits.of(timeline, WaitKind.POOL);
    List<WaitSeries> own =
        WaitSeries.longest(pools, window)
            .map(pool -> KnownHolds.of(incident, pool.site().name()).atLimit())
            .orElse(List.of());
    WaitingThreads calls =
        WaitingThreads.at(own.isEmpty() ? UserWaits.of(timeline, WaitKind.DOWNSTREAM) : own);
    double size =
        timeline
            .operator()
            .poolSize()
            .orElse((int) Math.round(peak(calls, timeline.pauses(window), window)));
    // All of them, and those while all connections were at work.
    double[] waits = {0, 0};
    WaitingThreads.at(pools)
        .forEach(
            window,
            (step, waiting) -> {
              Instant at = window.from().plus(WaitSeries.BUCKET.multipliedBy(step));
              waits[0] += waiting;
              waits[1] += size >= 1 && calls.at(at) >= KnownHolds.ALL * size ? waiting : 0;
            });
    return waits[0] > 0 ? waits[1] / waits[0] : 0;
  }

  /**
   * Whether dumps show a queue before a pool at work. They stand in for a recording that does not
   * show all calls, and only where nothing stops: right after a pause every pool is at work.
   */
  static boolean byDumps(Incident incident) {
    Timeline timeline = incident.timeline();
    List<ThreadSnapshot> dumps =
        DumpTimes.during(incident).stream()
            .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) > 0)
            .toList();
    if (dumps.size() < Policy.FEWEST_DUMPS
        || PauseTotals.of(timeline, incident.window()).shareStopped() >= Policy.HARDLY_STOPPED) {
      return false;
    }
    LongSummaryStatistics inUse =
        dumps.stream().mapToLong(ConnectionsInUse::count).summaryStatistics();
    double size =
        Math.max(
            inUse.getMax(),
            timeline
                .operator()
                .poolSize()
                .orElse(PoolMeters.of(timeline).map(m -> m.size().orElse(0)).orElse(0)));
    return inUse.getMax() > 0
        && inUse.getAverage() >= size * (KnownHolds.ALL - chance(size * dumps.size()))
        && dumps.stream().mapToLong(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL)).sum()
            >= inUse.getSum();
  }

  /** Sampling error: how far a share from this many samples of a connection may be too low. */
  private static double chance(double looks) {
    return Math.sqrt(KnownHolds.ALL * (1 - KnownHolds.ALL) / looks);
  }

  /** The most calls in flight in any moment in which the application was running. */
  private static double peak(WaitingThreads calls, List<GcPause> pauses, Window window) {
    double[] peak = {0};
    calls.forEach(
        window,
        (step, inFlight) -> {
          Instant at = window.from().plus(WaitSeries.BUCKET.multipliedBy(step));
          // Only what would be the peak is held against all pauses: there may be thousands of both.
          if (inFlight > peak[0] && stopped(pauses, at) < Policy.SUBSTANTIAL) {
            peak[0] = inFlight;
          }
        });
    return peak[0];
  }

  private static double stopped(List<GcPause> pauses, Instant at) {
    Window moment = new Window(at, at.plus(WaitSeries.BUCKET));
    Duration stopped = Duration.ZERO;
    for (GcPause pause : pauses) {
      stopped = stopped.plus(moment.overlap(pause.start(), pause.duration()));
    }
    return (double) stopped.toNanos() / WaitSeries.BUCKET.toNanos();
  }
}
