package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.stream.IntStream;

/**
 * An executor whose queue metric grows from each reading of the incident to the next while all its
 * threads are busy: tasks arrive faster than they are done. A queue filled by one batch of tasks
 * would shrink from reading to reading.
 *
 * @param name the executor's name in its metrics
 * @param threads number of its threads, if the metrics have it
 * @param first tasks in its queue at the first reading
 * @param last tasks in its queue at the last reading
 * @param seconds time between the two
 * @param readings number of readings
 * @param source where they were read
 */
public record ExecutorBacklog(
    String name,
    OptionalInt threads,
    double first,
    double last,
    double seconds,
    int readings,
    Source source) {

  /** Labels that exporters use for the executor's name. */
  private static final String NAME = "name";

  /** The executor whose queue grew most; empty if no queue grew throughout the incident. */
  public static Optional<ExecutorBacklog> of(Incident incident) {
    Timeline timeline = incident.timeline();
    return timeline.metrics(MetricMeaning.EXECUTOR_QUEUED).stream()
        .flatMap(queue -> of(timeline, incident.window(), queue).stream())
        .max(Comparator.comparingDouble(ExecutorBacklog::grown));
  }

  /** Tasks by which the queue grew. */
  public double grown() {
    return last - first;
  }

  /** Arrival rate minus completion rate, in tasks per second. */
  public double perSecond() {
    return grown() / seconds;
  }

  private static Optional<ExecutorBacklog> of(
      Timeline timeline, Window window, MetricSeries queue) {
    List<Point> points = Meter.inside(queue, window);
    boolean alwaysLonger =
        IntStream.range(1, points.size())
            .allMatch(i -> points.get(i).value() > points.get(i - 1).value());
    if (points.size() < Policy.RECURRING || !alwaysLonger) {
      return Optional.empty();
    }
    Point first = points.get(0);
    Point last = points.get(points.size() - 1);
    OptionalInt threads =
        meter(timeline, MetricMeaning.EXECUTOR_THREADS, queue.labels()).stream()
            .flatMap(series -> Meter.inside(series, window).stream())
            .mapToInt(point -> (int) Math.round(point.value()))
            .filter(count -> count > 0)
            .max();
    boolean someFree =
        threads.isPresent()
            && meter(timeline, MetricMeaning.EXECUTOR_ACTIVE, queue.labels()).stream()
                .flatMap(series -> Meter.inside(series, window).stream())
                .anyMatch(point -> point.value() < threads.getAsInt());
    if (someFree || last.value() - first.value() < Policy.FEWEST_FOR_A_MEAN) {
      return Optional.empty();
    }
    return Optional.of(
        new ExecutorBacklog(
            queue.labels().getOrDefault(NAME, ""),
            threads,
            first.value(),
            last.value(),
            Durations.seconds(Duration.between(first.at(), last.at())),
            points.size(),
            queue.source()));
  }

  private static Optional<MetricSeries> meter(
      Timeline timeline, MetricMeaning meaning, SortedMap<String, String> labels) {
    return timeline.metrics(meaning).stream()
        .filter(series -> series.labels().equals(labels))
        .findFirst();
  }
}
