package io.gcdiag.diagnosis;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.VirtualThreadUse;

/**
 * Whether virtual threads do the work and nothing in the inputs can see what they wait for. Up to
 * JDK 25 the JVM records no parks of theirs, and the dumps of {@code jstack}, {@code jcmd
 * Thread.print} and recordings leave them out; only users' latency then tells of their waits.
 */
final class HiddenWaits {

  static final String WHY =
      "virtual threads do the work, and what they wait for is neither recorded nor in these dumps";

  static final String HOW_TO_SEE =
      "Take two dumps with 'jcmd PID Thread.dump_to_file -format=json FILE', or give a load test's"
          + " results";

  /** A tenth of the recorded waits: less is something in the background. */
  private static final double NOTABLE = 0.1;

  private HiddenWaits() {}

  static boolean areThere(Timeline timeline) {
    return timeline.samples(VirtualThreadUse.class).stream().anyMatch(use -> use.share() >= NOTABLE)
        && timeline.requestStats().isEmpty()
        && timeline.requestSeries().isEmpty();
  }
}
