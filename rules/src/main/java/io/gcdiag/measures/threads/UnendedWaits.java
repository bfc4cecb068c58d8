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
 * Waits that had not ended when the recording did. An event is written when a wait ends: of a pool
 * that gives nothing back a recording shows less than of one that is merely slow, and a thread dump
 * all of it.
 */
public final class UnendedWaits {

  /** A caller that waits for a connection so long has given up, or soon will. */
  public static final Duration LONG = Duration.ofSeconds(5);

  private UnendedWaits() {}

  /**
   * Whether those who wait for a connection in a dump do so for longer than some seconds: the
   * recording sees waits, and shows hardly any around the dump.
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

  /** Threads that wait for a connection or a lock in a dump, beyond those that events show then. */
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
