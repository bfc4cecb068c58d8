package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Waits that had not ended when the recording ended. An event is written when a wait ends, so a
 * recording shows less waiting for a pool that returns nothing than for one that is merely slow. A
 * thread dump shows all of it.
 */
public final class UnendedWaits {

  /** A caller that waits this long for a connection has given up, or soon will. */
  public static final Duration LONG = Duration.ofSeconds(5);

  private UnendedWaits() {}

  /**
   * Whether threads that wait for a connection in a dump have waited for several seconds: the
   * recording has park events, and shows hardly any around the dump.
   */
  public static boolean areInPools(Timeline timeline, ThreadSnapshot dump) {
    Optional<Instant> at = dump.at();
    long waiting = dump.count(ThreadActivity.WAITING_FOR_POOL);
    if (waiting == 0
        || at.isEmpty()
        || !timeline.sees(Signal.THREAD_PARKS)
        || at.get().minus(LONG).isBefore(timeline.span().from())) {
      return false;
    }
    Window before = new Window(at.get().minus(LONG), at.get());
    return WaitSeries.threads(UserWaits.of(timeline, WaitKind.POOL), before)
        <= Policy.NEGLIGIBLE * waiting;
  }

  /**
   * Threads that wait for a connection or a lock in a dump, minus those that events show at that
   * time.
   */
  public static double hidden(Timeline timeline, ThreadSnapshot dump) {
    long waiting =
        dump.count(ThreadActivity.WAITING_FOR_POOL) + dump.count(ThreadActivity.WAITING_FOR_LOCK);
    if (!timeline.sees(Signal.THREAD_PARKS)) {
      return waiting;
    }
    double seen =
        dump.at()
            .map(at -> new Window(at.minus(DumpTimes.AROUND), at.plus(DumpTimes.AROUND)))
            .map(around -> UserWaits.inQueues(timeline, around))
            .orElse((double) waiting);
    return Math.max(0, waiting - seen);
  }
}
