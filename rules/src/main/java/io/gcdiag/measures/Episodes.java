package io.gcdiag.measures;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.ChangePoint;
import io.gcdiag.stats.Median;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

/** The other stretches of an incident that passes and comes again. */
final class Episodes {

  private Episodes() {}

  /**
   * Stretches that last and reach at least half of the rise of the one that was found above what is
   * usual beside it. What adjoins the found one is its beginning or its end and no other episode.
   *
   * @param series what rose, in buckets of the window {@code told}; empty if that is not known over
   *     time
   */
  static List<Window> beside(
      ChangePoint.Segment found, double[] series, Window told, Duration bucket) {
    if (series.length == 0) {
      return List.of();
    }
    double[] rest = series.clone();
    Arrays.fill(rest, found.fromIndex(), found.toIndex(), Double.NaN);
    double[] known = Arrays.stream(rest).filter(Double::isFinite).toArray();
    double usual = Median.of(known).orElse(found.meanInside());
    double level = usual + Policy.MAJORITY * (found.meanInside() - usual);
    int lasting = WindowFinder.lasting(bucket);
    BitSet raised = new BitSet();
    for (int i = 0; i + lasting <= rest.length; i++) {
      // Unknown, and so not above, where one of them is of the found stretch.
      if (Arrays.stream(rest, i, i + lasting).sum() >= level * lasting) {
        int[] high = IntStream.range(i, i + lasting).filter(k -> rest[k] >= level).toArray();
        raised.set(high[0], high[high.length - 1] + 1);
      }
    }
    List<Window> episodes = new ArrayList<>();
    int to = 0;
    for (int from = raised.nextSetBit(0); from >= 0; from = raised.nextSetBit(to)) {
      to = raised.nextClearBit(from);
      boolean adjoins = to + lasting > found.fromIndex() && from < found.toIndex() + lasting;
      if (!adjoins && to - from >= lasting) {
        episodes.add(WindowFinder.window(told, from, to, bucket));
      }
    }
    return episodes;
  }
}
