package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import java.time.Duration;

/** Whether a thread did no work between two dumps, by the CPU time that it used in between. */
public final class StillThread {

  /**
   * A thread that wakes up and parks again at once uses a few microseconds. One that finishes a
   * request, takes the next and gets to the same place again uses more than this. HotSpot prints
   * CPU time in units of 10 us.
   */
  private static final long STILL_NANOS = 50_000;

  /**
   * Of the threads that wait for a monitor, one polls each second whether it is free
   * (ObjectMonitor::EnterI, objectMonitor.cpp): measured at 33 us per second on JDK 17.
   */
  private static final long LOOKING_NANOS_PER_SECOND = 50_000;

  private StillThread() {}

  /** Whether a thread is in the same wait as in an earlier dump. */
  public static boolean isInSameWait(ThreadState before, ThreadState now, Duration between) {
    long used = now.standing().cpuNanos() - before.standing().cpuNanos();
    return before.activity() == now.activity()
        && before.standing().stack() == now.standing().stack()
        && before.standing().cpuNanos() != ThreadPosition.UNKNOWN_CPU
        && used(used, now.state().equals("BLOCKED") ? between : Duration.ZERO);
  }

  /**
   * Whether this much CPU time is compatible with a thread that made no progress.
   *
   * @param nanos CPU time that it used
   * @param looking how long it may have polled a monitor; zero if it waits for none
   */
  static boolean used(long nanos, Duration looking) {
    return nanos >= 0 && nanos <= STILL_NANOS + looking.toSeconds() * LOOKING_NANOS_PER_SECOND;
  }
}
