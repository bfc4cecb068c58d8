package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * A timer of the service by the values of one label, such as cache hits and misses: its mean is the
 * mean of each value, weighted by how often it occurs. Timers are pairs of counters as Prometheus
 * names them, {@code NAME_seconds_sum} and {@code NAME_seconds_count}.
 *
 * @param timer its name, without the endings
 * @param label the only label in which its series differ
 * @param parts its values, the most frequent first; two or more
 * @param source where it was read
 */
public record TimerSplit(String timer, String label, List<Part> parts, Source source) {

  private static final String SUM = "_seconds_sum";

  /**
   * One value of the label.
   *
   * @param calls how many calls it counted
   * @param seconds the time of all of them
   */
  public record Part(String value, double calls, double seconds) {

    public Duration mean() {
      return Durations.ofSeconds(seconds / calls);
    }
  }

  public TimerSplit {
    parts = List.copyOf(parts);
  }

  public double calls() {
    return parts.stream().mapToDouble(Part::calls).sum();
  }

  /** The mean time of a call, whatever its label. */
  public Duration mean() {
    return Durations.ofSeconds(seconds() / calls());
  }

  private double seconds() {
    return parts.stream().mapToDouble(Part::seconds).sum();
  }

  /** Every timer that is counted by one label, those that took most time first. */
  static List<TimerSplit> of(Timeline timeline, Window window) {
    Map<String, List<MetricSeries>> sums =
        timeline.metrics().stream()
            .filter(series -> series.counter() && series.name().endsWith(SUM))
            .collect(Collectors.groupingBy(MetricSeries::name, TreeMap::new, Collectors.toList()));
    List<TimerSplit> splits = new ArrayList<>();
    sums.values().forEach(timer -> split(timeline, timer, window).ifPresent(splits::add));
    splits.sort(Comparator.comparingDouble(TimerSplit::seconds).reversed());
    return splits;
  }

  private static Optional<TimerSplit> split(
      Timeline timeline, List<MetricSeries> sums, Window window) {
    Optional<String> label = onlyDifference(sums);
    if (label.isEmpty()) {
      return Optional.empty();
    }
    String name = sums.get(0).name().substring(0, sums.get(0).name().length() - SUM.length());
    List<Part> parts = new ArrayList<>();
    for (MetricSeries sum : sums) {
      OptionalDouble seconds = Meter.grown(sum, window);
      OptionalDouble calls =
          timeline.metrics().stream()
              .filter(series -> series.name().equals(name + "_seconds_count"))
              .filter(series -> series.labels().equals(sum.labels()))
              .map(series -> Meter.grown(series, window))
              .findFirst()
              .orElse(OptionalDouble.empty());
      if (seconds.isPresent() && calls.orElse(0) >= Policy.FEWEST_FOR_A_MEAN) {
        parts.add(
            new Part(sum.labels().get(label.get()), calls.getAsDouble(), seconds.getAsDouble()));
      }
    }
    parts.sort(Comparator.comparingDouble(Part::calls).reversed());
    return parts.size() < 2
        ? Optional.empty()
        : Optional.of(new TimerSplit(name, label.get(), parts, sums.get(0).source()));
  }

  /** The label in which series differ, if it is one alone and no two have the same value. */
  private static Optional<String> onlyDifference(List<MetricSeries> series) {
    Map<String, Set<String>> values = new TreeMap<>();
    for (MetricSeries one : series) {
      SortedMap<String, String> labels = one.labels();
      labels.forEach(
          (label, value) -> values.computeIfAbsent(label, any -> new TreeSet<>()).add(value));
    }
    List<String> differing =
        values.entrySet().stream()
            .filter(label -> label.getValue().size() > 1)
            .map(Map.Entry::getKey)
            .toList();
    boolean one = differing.size() == 1 && values.get(differing.get(0)).size() == series.size();
    return one ? Optional.of(differing.get(0)) : Optional.empty();
  }
}
