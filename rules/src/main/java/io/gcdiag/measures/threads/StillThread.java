package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import java.time.Duration;

/** Whether a thread did no work between two dumps, by the CPU time that it used meanwhile. */
public final class StillThread {

  /**
   * A thread that is woken and parks again at once uses some microseconds; one that ends a request,
   * takes up the next and comes to the same place again uses more, over two steps or more. HotSpot
   * prints hundredths of a millisecond.
   */
  private static final long STILL_NANOS = 50_000;

  /**
   * Of the threads that wait for a monitor one looks each second whether it was returned
   * (ObjectMonitor::EnterI, objectMonitor.cpp): 33 us a second were measured on JDK 17.
   */
  private static final long LOOKING_NANOS_PER_SECOND = 50_000;

  private static final String BLOCKED = "BLOCKED";

  private StillThread() {}

  /** Whether a thread is in the same wait as in a dump so long before. */
  public static boolean isInSameWait(ThreadState before, ThreadState now, Duration between) {
    long used = now.standing().cpuNanos() - before.standing().cpuNanos();
    return before.activity() == now.activity()
        && before.standing().stack() == now.standing().stack()
        && before.standing().cpuNanos() != ThreadPosition.UNKNOWN_CPU
        && used(used, now.state().equals(BLOCKED) ? between : Duration.ZERO);
  }

  /**
   * Whether so much CPU is that of a thread that did not go on.
   *
   * @param nanos CPU time that it used
   * @param looking for how long it may have looked whether a monitor is free; zero if it waits for
   *     none
   */
  static boolean used(long nanos, Duration looking) {
    return nanos >= 0 && nanos <= STILL_NANOS + looking.toSeconds() * LOOKING_NANOS_PER_SECOND;
  }
}
