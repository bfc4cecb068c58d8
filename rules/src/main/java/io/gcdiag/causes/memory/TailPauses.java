package io.gcdiag.causes.memory;

import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.SafepointTimes;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;

/**
 * Whether pauses that need not be make the slowest hundredth of the requests what it is, even where
 * all pauses together are not much: a request that arrives in a pause waits for its end, so that
 * pauses of one hundredth of the time are the 99th percentile.
 */
final class TailPauses {

  private TailPauses() {}

  /** Whether there are long ones among these pauses that come again. */
  static boolean recur(Pauses pauses) {
    return longOnes(pauses).size() >= Policy.RECURRING;
  }

  private static Pauses longOnes(Pauses pauses) {
    return pauses.where(i -> pauses.nanos(i) >= SafepointTimes.LONG.toNanos());
  }

  /** Whether the long ones among these pauses come again and again and take that much time. */
  static boolean among(Pauses pauses, Window window) {
    Pauses longOnes = longOnes(pauses);
    return longOnes.size() >= Policy.RECURRING
        && Durations.seconds(longOnes.sum()) >= Policy.TAIL * window.seconds();
  }
}
