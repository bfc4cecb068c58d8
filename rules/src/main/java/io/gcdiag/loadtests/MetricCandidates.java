package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The series of metric exports: counters as growth per second, the summed time of a timer as its
 * mean, everything else as means.
 */
final class MetricCandidates {

  /** Other views of the tail itself: that they move with it says nothing. */
  static final Set<MetricMeaning> SAME_AS_TAIL =
      Set.of(MetricMeaning.LATENCY, MetricMeaning.REQUEST_SECONDS, MetricMeaning.REQUEST_BUCKET);

  /** Other views of what the load test says itself. */
  private static final Set<MetricMeaning> SAME_AS_LOAD =
      Set.of(MetricMeaning.REQUESTS, MetricMeaning.REQUESTS_FAILED, MetricMeaning.REQUEST_RATE);

  /** Timers that have no figure of their own: of these the mean is of interest, not the sum. */
  private static final Set<MetricMeaning> TIMERS =
      Set.of(MetricMeaning.OTHER, MetricMeaning.CALL_SECONDS);

  private static final String SUM = "_sum";

  private MetricCandidates() {}

  /** Those whose meaning is known first. */
  static List<Candidate> of(Timeline timeline, Tail tail) {
    List<MetricSeries> series =
        timeline.metrics().stream()
            .filter(one -> !SAME_AS_TAIL.contains(one.meaning()))
            .filter(one -> tail.requests().isEmpty() || !SAME_AS_LOAD.contains(one.meaning()))
            .sorted(Comparator.comparing(MetricSeries::meaning))
            .toList();
    Map<String, Long> sameWords =
        series.stream()
            .map(one -> one.meaning().words())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    List<Candidate> candidates = new ArrayList<>();
    for (MetricSeries one : series) {
      String words = one.meaning().words();
      Optional<MetricSeries> count = count(one, timeline);
      String name =
          count.isPresent()
              ? "mean of " + timer(one) + labels(one)
              : words.isEmpty()
                  ? fullName(one)
                  : sameWords.get(words) > 1 ? words + ", " + fullName(one) : words;
      candidates.add(
          new Candidate(
              name,
              one.source(),
              count
                  .map(calls -> quotients(rates(one, tail), rates(calls, tail)))
                  .orElseGet(
                      () ->
                          one.counter()
                              ? rates(one, tail)
                              : Readings.means(tail.grid(), one.points()))));
    }
    return candidates;
  }

  private static double[] rates(MetricSeries counter, Tail tail) {
    return Readings.rates(tail.grid(), counter.points());
  }

  /** What a call took on average in each interval; not known where there was none. */
  private static double[] quotients(double[] seconds, double[] calls) {
    double[] means = new double[seconds.length];
    Arrays.setAll(means, i -> calls[i] > 0 ? seconds[i] / calls[i] : Double.NaN);
    return means;
  }

  /** How many calls a timer's sum is of; empty if it is the sum of no such timer. */
  private static Optional<MetricSeries> count(MetricSeries sum, Timeline timeline) {
    if (!TIMERS.contains(sum.meaning()) || !sum.counter() || !sum.name().endsWith(SUM)) {
      return Optional.empty();
    }
    String name = timer(sum) + "_count";
    return timeline.metrics().stream()
        .filter(one -> one.name().equals(name) && one.labels().equals(sum.labels()))
        .findFirst();
  }

  private static String timer(MetricSeries sum) {
    return sum.name().substring(0, sum.name().length() - SUM.length());
  }

  private static String fullName(MetricSeries series) {
    return series.name() + labels(series);
  }

  private static String labels(MetricSeries series) {
    return series.labels().isEmpty() ? "" : series.labels().toString();
  }
}
