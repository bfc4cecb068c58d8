package io.gcdiag.evidence;

import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The time span of inputs that is used if there is neither a recording nor a log. A load test often
 * runs on after the recording ends.
 */
final class Spans {

  private Spans() {}

  /**
   * The span of load tests, until the last response. Requests counted by metrics have the metrics'
   * span.
   */
  static Optional<Window> ofLoadTests(
      List<RequestSeries> requestSeries, List<MetricSeries> metrics) {
    Set<String> metricFiles =
        metrics.stream().map(series -> series.source().file()).collect(Collectors.toSet());
    return hull(
        requestSeries.stream()
            .filter(series -> !metricFiles.contains(series.source().file()))
            .flatMap(series -> series.inProgress().stream())
            .toList());
  }

  static Optional<Window> ofMetrics(List<MetricSeries> metrics) {
    return hull(
        metrics.stream()
            .map(MetricSeries::points)
            .filter(points -> points.size() > 1)
            .map(points -> upTo(points.get(0).at(), points.get(points.size() - 1).at()))
            .toList());
  }

  /** A window excludes its end, so it is extended to include what was read at the last instant. */
  private static Window upTo(Instant first, Instant last) {
    return new Window(first, last.plusMillis(1));
  }

  static Optional<Window> ofDumps(List<ThreadSnapshot> dumps) {
    List<Instant> instants = dumps.stream().flatMap(dump -> dump.at().stream()).sorted().toList();
    if (instants.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new Window(instants.get(0), instants.get(instants.size() - 1).plus(Duration.ofSeconds(1))));
  }

  static Optional<Window> hull(List<Window> windows) {
    Optional<Instant> from = windows.stream().map(Window::from).min(Comparator.naturalOrder());
    Optional<Instant> to = windows.stream().map(Window::to).max(Comparator.naturalOrder());
    return from.map(start -> new Window(start, to.orElseThrow()));
  }
}
