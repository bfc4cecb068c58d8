package io.gcdiag.measures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.ChangePoint;
import java.time.Duration;
import java.util.Optional;

/** The stretch in which the cores were full, where nothing else stands out. */
final class CrowdedStretch {

  private CrowdedStretch() {}

  /**
   * Looks for it.
   *
   * @param latencyKnown whether a load test says how long requests took, and no stretch of it
   *     stands out
   */
  static Optional<ChangePoint.Segment> find(
      Timeline timeline, Window span, Duration bucket, boolean latencyKnown) {
    return crowded(timeline, span, bucket)
        .filter(found -> !isAwaitedAsMuchElsewhere(timeline, span, found, bucket))
        // Others' work on the cores is felt or not: who knows what requests took need not guess.
        .filter(
            found ->
                !latencyKnown || isOwnWork(timeline, WindowFinder.window(span, found, bucket)));
  }

  private static Optional<ChangePoint.Segment> crowded(
      Timeline timeline, Window span, Duration bucket) {
    double[] queue = CoreQueue.byBucket(timeline, span, bucket);
    return queue.length < 2
        ? Optional.empty()
        : ChangePoint.find(queue)
            // Near to full cores a little more load makes ten times the queue: no plain level.
            .filter(ChangePoint.Segment::isSignificant)
            .filter(segment -> segment.meanInside() >= Policy.LASTING_QUEUE);
  }

  private static boolean isOwnWork(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window).filter(CpuUse::isOwnWork).isPresent();
  }

  /**
   * Whether as many request threads wait for others, for a connection or for a lock in the rest of
   * the time as in the stretch, and more than wait for CPU in it: then the cores were full besides,
   * at a warm-up say, and the rest is no baseline.
   */
  private static boolean isAwaitedAsMuchElsewhere(
      Timeline timeline, Window span, ChangePoint.Segment found, Duration bucket) {
    Window inside = WindowFinder.window(span, found, bucket);
    double all = awaiting(timeline, span) * span.seconds();
    double during = awaiting(timeline, inside);
    double rest = span.seconds() - inside.seconds();
    double outside = rest > 0 ? (all - during * inside.seconds()) / rest : 0;
    return outside >= Math.max((1 - Policy.NOTABLE) * during, found.meanInside());
  }

  /** Threads on average that wait for what others give back or answer. */
  private static double awaiting(Timeline timeline, Window window) {
    return WorkerQueue.waitingForAnswers(timeline, window) + UserWaits.inQueues(timeline, window);
  }
}
