package io.gcdiag.correlation;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.MetricSeries;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The series of metric exports: counters as growth per second, everything else as means. */
final class MetricCandidates {

  /** Other views of the tail itself: that they move with it says nothing. */
  static final Set<MetricMeaning> SAME_AS_TAIL =
      Set.of(MetricMeaning.LATENCY, MetricMeaning.REQUEST_SECONDS, MetricMeaning.REQUEST_BUCKET);

  /** Other views of what the load test says itself. */
  private static final Set<MetricMeaning> SAME_AS_LOAD =
      Set.of(MetricMeaning.REQUESTS, MetricMeaning.REQUESTS_FAILED, MetricMeaning.REQUEST_RATE);

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
      String name =
          words.isEmpty()
              ? fullName(one)
              : sameWords.get(words) > 1 ? words + ", " + fullName(one) : words;
      candidates.add(
          new Candidate(
              name,
              one.source(),
              one.counter()
                  ? Readings.rates(tail.grid(), one.points())
                  : Readings.means(tail.grid(), one.points())));
    }
    return candidates;
  }

  private static String fullName(MetricSeries series) {
    return series.labels().isEmpty() ? series.name() : series.name() + series.labels();
  }
}
