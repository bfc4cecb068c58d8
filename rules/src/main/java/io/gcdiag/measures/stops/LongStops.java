package io.gcdiag.measures.stops;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.pauses.Pauses;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * Stops of the whole application that are seldom and long: most requests meet none, and the mean
 * hardly shows them, but a request that meets one waits.
 */
public final class LongStops {

  private LongStops() {}

  /**
   * Whether one request in a hundred, wherever it comes from, finds the application stopped and has
   * to wait as long for it as users feel, and many times as long as requests usually take. Of a
   * stop of 400 ms the requests of its first 200 ms do.
   *
   * @param usualSeconds how long requests take otherwise; 0 if it is not known
   */
  public static boolean makeTheTail(Timeline timeline, Window window, double usualSeconds) {
    double felt = LoadTestDelays.longSeconds(usualSeconds);
    double[] beyond = lengths(timeline, window).map(s -> s - felt).filter(s -> s > 0).toArray();
    return beyond.length >= Policy.RECURRING
        && DoubleStream.of(beyond).sum() >= Policy.TAIL * window.seconds();
  }

  private static DoubleStream lengths(Timeline timeline, Window window) {
    Pauses pauses = timeline.pauses(window);
    ObserverCost observation = ObserverCost.of(timeline);
    return DoubleStream.concat(
        IntStream.range(0, pauses.size()).mapToDouble(pauses::seconds),
        timeline.safepoints(window).stream()
            .mapToDouble(stop -> Durations.seconds(observation.lost(stop))));
  }
}
