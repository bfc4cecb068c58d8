package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.LiveSet.Point;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.TrendLine;
import io.gcdiag.units.Nanos;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The live set over the time that the application ran. A leak grows only while it runs: near the
 * end collections take most of the time, and by the clock the growth slows down.
 *
 * @param seconds time since the window's start without the pauses, rising
 * @param bytes the live set
 */
record LiveSetCourse(double[] seconds, double[] bytes) {

  /** The last such part is compared with what was before. */
  private static final double EARLY_PART = 2 / 3.0;

  static LiveSetCourse of(Timeline timeline, Window window, List<Point> points) {
    Pauses pauses = timeline.pauses(window);
    double[] seconds = new double[points.size()];
    double stopped = 0;
    int next = 0;
    for (int i = 0; i < seconds.length; i++) {
      Point point = points.get(i);
      long at = Nanos.since1970(point.at());
      while (next < pauses.size() && pauses.startNanos(next) < at) {
        stopped += pauses.seconds(next++);
      }
      seconds[i] = point.secondsSince(window.from()) - stopped;
    }
    return new LiveSetCourse(seconds, points.stream().mapToDouble(Point::bytes).toArray());
  }

  /**
   * Whether the last third grows at less than half the pace of the time before. Both by the robust
   * slope, or by the ends where there are only two points.
   */
  boolean levelsOff() {
    if (seconds.length < 2) {
      return false;
    }
    double first = seconds[0];
    double border = first + EARLY_PART * (seconds[seconds.length - 1] - first);
    int late = 0;
    while (late < seconds.length && seconds[late] < border) {
      late++;
    }
    // The point before the border begins the last stretch and ends the one before.
    int shared = Math.max(0, late - 1);
    return late >= 2
        && seconds.length - shared >= 2
        && pace(shared, seconds.length) < Policy.MAJORITY * pace(0, late);
  }

  private double pace(int from, int to) {
    double span = seconds[to - 1] - seconds[from];
    double byTheEnds = span <= 0 ? 0 : (bytes[to - 1] - bytes[from]) / span;
    Optional<TrendLine> line =
        TrendLine.fit(Arrays.copyOfRange(seconds, from, to), Arrays.copyOfRange(bytes, from, to));
    return line.map(TrendLine::theilSenSlope).orElse(byTheEnds);
  }
}
