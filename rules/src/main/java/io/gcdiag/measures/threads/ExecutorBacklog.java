package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.DoublePredicate;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * An executor of which some tasks wait in its queue while all its threads are busy, by its own
 * meters.
 *
 * @param name the executor's name in its metrics
 * @param threads number of its threads, if the metrics have it
 * @param readings the readings of its queue in the incident
 * @param more tasks in its queue beyond those of the baseline, on average; 0 if that is unknown
 * @param held time that a task holds its thread, as a multiple of the baseline's; by Little's law
 *     busy threads per task that ends in a second. Empty if too few were seen at work to tell
 * @param source where they were read
 */
public record ExecutorBacklog(
    String name,
    OptionalInt threads,
    List<Point> readings,
    double more,
    OptionalDouble held,
    Source source) {

  /** Labels that exporters use for the executor's name. */
  private static final String NAME = "name";

  private static final Set<Signal> SHOWING_THREADS =
      EnumSet.of(Signal.THREAD_DUMPS, Signal.THREAD_PARKS, Signal.CPU_SAMPLES);

  /**
   * The executor whose queue grew most, from each reading of the incident to the next: tasks arrive
   * faster than they are done. A queue filled by one batch of tasks would shrink from reading to
   * reading. Empty if no queue grew throughout the incident.
   */
  public static Optional<ExecutorBacklog> of(Incident incident) {
    return all(incident, Meters::grows)
        .max(Comparator.comparingDouble(ExecutorBacklog::grown))
        .filter(queue -> queue.grown() >= Policy.FEWEST_FOR_A_MEAN);
  }

  /**
   * The executor in whose queue most requests wait, where neither a dump nor a recording shows
   * threads. That they do shows in as many more of them in the system; background jobs wait without
   * them. Empty if no queue stands.
   */
  static Optional<ExecutorBacklog> ofRequests(Incident incident, Optional<RequestExcess> known) {
    double more =
        known
            .filter(RequestExcess::compared)
            .filter(any -> !showsThreads(incident.timeline()))
            .map(requests -> requests.inSystem() - requests.inSystemBefore())
            .orElse(0.0);
    return all(incident, Meters::stands)
        .filter(queue -> queue.more >= Policy.FEWEST_QUEUED)
        .filter(queue -> Policy.MAJORITY * queue.more <= more)
        .max(Comparator.comparingDouble(ExecutorBacklog::more));
  }

  /** Whether a dump or a recording shows what threads do. */
  public static boolean showsThreads(Timeline timeline) {
    return SHOWING_THREADS.stream().anyMatch(timeline::sees);
  }

  private static Stream<ExecutorBacklog> all(Incident incident, Predicate<Meters> so) {
    return incident.timeline().metrics(MetricMeaning.EXECUTOR_QUEUED).stream()
        .map(queue -> new Meters(incident, queue))
        .filter(meters -> meters.readings().size() >= Policy.RECURRING)
        .filter(so)
        .map(Meters::backlog);
  }

  public double first() {
    return readings.get(0).value();
  }

  public double last() {
    return readings.get(readings.size() - 1).value();
  }

  /** Tasks by which the queue grew. */
  public double grown() {
    return last() - first();
  }

  /** Time between the first reading and the last. */
  public double seconds() {
    return Durations.seconds(
        Duration.between(readings.get(0).at(), readings.get(readings.size() - 1).at()));
  }

  /** Whether each task holds its thread longer than before, or nothing shows that it does not. */
  boolean isHeldLonger() {
    return held.isEmpty() || held.getAsDouble() > 1 + Policy.SAMPLES_GOOD_TO;
  }

  /** How much longer, for people; empty if unknown. */
  String heldFor() {
    if (held.isEmpty()) {
      return "";
    }
    return isHeldLonger()
        ? ", for %s times as long per task as in the baseline"
            .formatted(Numbers.threeDigits(held.getAsDouble()))
        : ", no longer per task than in the baseline";
  }

  private record Meters(Incident incident, MetricSeries queue) {

    List<Point> readings() {
      return Meter.inside(queue, incident.window());
    }

    ExecutorBacklog backlog() {
      double now = readings().stream().mapToDouble(Point::value).average().orElse(0);
      return new ExecutorBacklog(
          queue.labels().getOrDefault(NAME, ""),
          threads() > 0 ? OptionalInt.of((int) Math.round(threads())) : OptionalInt.empty(),
          readings(),
          Math.max(0, now - before()),
          held(),
          queue.source());
    }

    boolean grows() {
      List<Point> points = readings();
      return IntStream.range(1, points.size())
              .allMatch(i -> points.get(i).value() > points.get(i - 1).value())
          && busy(incident.window()).allMatch(at -> at >= threads());
    }

    /** Requests do not need an executor that did nothing in the baseline. */
    boolean stands() {
      return threads() > 0
          && isMostly(readings().stream().mapToDouble(Point::value), tasks -> tasks >= 1)
          && isMostly(busy(incident.window()), at -> at >= threads())
          && backlog().more > (Policy.CLEARLY_MORE - 1) * before()
          && incident.baseline().map(this::ended).orElse(0.0) > 0
          && incident.baseline().map(window -> busy(window).sum()).orElse(0.0) > 0;
    }

    private static boolean isMostly(DoubleStream readings, DoublePredicate so) {
      double[] all = readings.toArray();
      return all.length > 0 && DoubleStream.of(all).filter(so).count() >= Policy.FULL * all.length;
    }

    /** Tasks in the queue in the baseline, on average; infinite if that is unknown. */
    private double before() {
      return incident
          .baseline()
          .map(window -> new Gauge(queue).mean(window))
          .orElse(OptionalDouble.empty())
          .orElse(Double.POSITIVE_INFINITY);
    }

    /** 0 if unknown. */
    private double threads() {
      return values(
              incident.window(), MetricMeaning.EXECUTOR_THREADS, MetricMeaning.REQUEST_THREADS_MAX)
          .max()
          .orElse(0);
    }

    private DoubleStream busy(Window window) {
      return values(window, MetricMeaning.EXECUTOR_ACTIVE, MetricMeaning.REQUEST_THREADS_BUSY);
    }

    /** The threads of Jetty's executor are those of requests. */
    private DoubleStream values(Window window, MetricMeaning meaning, MetricMeaning ofRequests) {
      return meter(meaning).or(() -> meter(ofRequests)).stream()
          .flatMap(series -> Meter.inside(series, window).stream())
          .mapToDouble(Point::value);
    }

    private OptionalDouble held() {
      double before = incident.baseline().map(this::hold).orElse(0.0);
      double now = hold(incident.window());
      return before > 0 && now > 0 ? OptionalDouble.of(now / before) : OptionalDouble.empty();
    }

    /** 0 if too few busy threads were seen. */
    private double hold(Window window) {
      double rate = ended(window);
      boolean enough = busy(window).sum() >= Policy.FEWEST_FOR_A_MEAN;
      return enough && rate > 0 ? busy(window).average().orElse(0) / rate : 0;
    }

    /** Tasks that ended a second; requests, where no meter counts tasks. */
    private double ended(Window window) {
      return meter(MetricMeaning.EXECUTOR_DONE)
          .map(done -> Meter.perSecond(done, window).orElse(0))
          .or(() -> RequestRate.of(incident.timeline(), window).map(Rate::perSecond))
          .orElse(0.0);
    }

    private Optional<MetricSeries> meter(MetricMeaning meaning) {
      return incident.timeline().metrics(meaning).stream()
          .filter(series -> series.labels().equals(queue.labels()))
          .findFirst();
    }
  }
}
