package io.gcdiag.ingest.gclog.placing;

import io.gcdiag.ingest.gclog.store.PackedPauses;
import io.gcdiag.ingest.gclog.text.PackedWords;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;

/** The pauses of a log whose lines bear no times: they can be counted, and no more. */
final class UntimedPauses {

  private UntimedPauses() {}

  /** Whether there are pauses, and none of them has a time. */
  static boolean areAllOf(PackedPauses pauses) {
    for (int i = 0; i < pauses.size(); i++) {
      if (pauses.wallClock(i) != PackedWords.NO_TIME || pauses.uptime(i) != PackedWords.NO_TIME) {
        return false;
      }
    }
    return !pauses.isEmpty();
  }

  /** The sentence on them. */
  static String of(PackedPauses pauses) {
    Duration sum = Duration.ZERO;
    Duration longest = Duration.ZERO;
    for (int i = 0; i < pauses.size(); i++) {
      Duration one = Duration.ofNanos(pauses.nanos(i));
      sum = sum.plus(one);
      longest = one.compareTo(longest) > 0 ? one : longest;
    }
    return "its lines have no credible times: its "
        + Numbers.count(pauses.size())
        + " pauses, "
        + Durations.format(sum)
        + " in all and the longest "
        + Durations.format(longest)
        + ", cannot be placed and judged; log with -Xlog:gc*:file=gc.log:time,uptime, or with"
        + " -XX:+PrintGCDateStamps on JDK 8";
  }
}
