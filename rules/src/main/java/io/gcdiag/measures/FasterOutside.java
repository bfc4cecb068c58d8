package io.gcdiag.measures;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Percentiles;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Requests of a time that only their own file covers, in which they were clearly faster than in a
 * window; not of a time so far away that the load is another, as at night.
 *
 * @param rest that time
 * @param percentile of which the two are: the median, or the slowest in a hundred
 * @param usual how long they took in that time
 * @param now how long they took in the window
 */
public record FasterOutside(Window rest, double percentile, Duration usual, Duration now) {

  /**
   * The first such time, as long as shows a state; empty where no file has one.
   *
   * @param known outside of which only requests are known
   */
  public static Optional<FasterOutside> of(Timeline timeline, Window known, Window window) {
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    Optional<Window> all = series.flatMap(RequestSeries::span);
    Window near = new Window(known.from().minus(LostTime.FINEST), known.to().plus(LostTime.FINEST));
    return Stream.of(
            all.filter(own -> own.from().isBefore(known.from()))
                .map(own -> new Window(own.from(), known.from())),
            all.filter(own -> own.to().isAfter(known.to()))
                .map(own -> new Window(known.to(), own.to())))
        .flatMap(Optional::stream)
        .flatMap(FasterOutside::parts)
        .filter(rest -> near.contains(rest.from()) && near.contains(rest.to()))
        .flatMap(rest -> compared(rest, series.get(), window).stream())
        .findFirst();
  }

  private static Stream<Window> parts(Window rest) {
    return Stream.iterate(rest.from(), from -> from.plus(Policy.SUSTAINED))
        .takeWhile(from -> !from.plus(Policy.SUSTAINED).isAfter(rest.to()))
        .map(from -> new Window(from, from.plus(Policy.SUSTAINED)));
  }

  private static Optional<FasterOutside> compared(
      Window rest, RequestSeries series, Window window) {
    return Stream.of(Percentiles.MEDIAN, Percentiles.TAIL)
        .flatMap(
            percentile ->
                length(series.within(rest), percentile)
                    .flatMap(
                        usual ->
                            length(series.within(window), percentile)
                                .map(now -> new FasterOutside(rest, percentile, usual, now)))
                    .stream())
        .filter(FasterOutside::isClear)
        .findFirst();
  }

  private boolean isClear() {
    double before = Durations.seconds(usual);
    double after = Durations.seconds(now);
    return percentile == Percentiles.MEDIAN
        ? LoadTestDelays.mayMultiply(after - before) && after >= Policy.CLEARLY_MORE * before
        : LoadTestDelays.isLong(now) && LoadTestDelays.isManyTimes(after, before);
  }

  private static Optional<Duration> length(RequestInterval requests, double percentile) {
    int fewest =
        percentile == Percentiles.MEDIAN ? Policy.FEWEST_FOR_A_MEAN : Policy.FEWEST_FOR_A_TAIL;
    return Optional.of(requests.latencies())
        .filter(latencies -> latencies.count() >= fewest)
        .flatMap(latencies -> latencies.percentile(percentile))
        .map(LatencyBound::atLeast);
  }
}
