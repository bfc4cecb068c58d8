package io.gcdiag.measures.jvm;

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
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * GC metrics of a service, used if neither a recording nor a log has the pauses: number and total
 * length of the pauses between two scrapes. Single lengths are not known, except for the recent
 * maximum that some exporters have.
 *
 * @param pauses counter of pauses
 * @param seconds counter of their total length
 */
public record CollectorMeters(Timeline timeline, MetricSeries pauses, MetricSeries seconds) {

  /** Empty without such metrics, and if the pauses themselves are known. */
  public static Optional<CollectorMeters> of(Timeline timeline) {
    return most(timeline.metrics(MetricMeaning.GC_PAUSE_SECONDS).stream())
        .filter(any -> !timeline.sees(Signal.GC_PAUSES))
        .flatMap(
            seconds ->
                most(sameMachine(timeline, seconds, MetricMeaning.GC_PAUSES))
                    .map(pauses -> new CollectorMeters(timeline, pauses, seconds)));
  }

  /** The series with the highest value, if there are several machines. */
  private static Optional<MetricSeries> most(Stream<MetricSeries> series) {
    return series.max(
        Comparator.comparingDouble(one -> one.points().get(one.points().size() - 1).value()));
  }

  private static Stream<MetricSeries> sameMachine(
      Timeline timeline, MetricSeries as, MetricMeaning meaning) {
    return timeline.metrics(meaning).stream()
        .filter(one -> one.labelsOfMachine().equals(as.labelsOfMachine()));
  }

  /**
   * Pauses in a window, by its first and last scrape; if the window is shorter, by the scrapes
   * around it. The longest is a lower bound: the mean, if no metric shows more.
   */
  public Optional<PauseTotals> totals(Window window) {
    Window told = told(window);
    List<Point> points = Meter.inside(seconds, told);
    OptionalDouble count = Meter.grown(pauses, told);
    OptionalDouble sum = Meter.grown(seconds, told);
    if (points.size() < 2 || count.isEmpty() || sum.isEmpty()) {
      return Optional.empty();
    }
    Duration between = Duration.between(points.get(0).at(), points.get(points.size() - 1).at());
    List<Duration> lengths = least(told);
    return Optional.of(
        new PauseTotals(
            (int) Math.round(count.getAsDouble()),
            Durations.ofSeconds(sum.getAsDouble()),
            lengths.isEmpty() ? Duration.ZERO : Collections.max(lengths),
            Durations.seconds(between),
            Optional.of(source())));
  }

  /** From the last scrape before a short window to the first one after it, if these exist. */
  private Window told(Window window) {
    if (Meter.inside(seconds, window).size() > 1) {
      return window;
    }
    Instant from = window.from();
    Instant to = window.to();
    for (Window stretch : Meter.stretches(seconds)) {
      boolean meets = stretch.from().isBefore(window.to()) && stretch.to().isAfter(window.from());
      from = meets && stretch.from().isBefore(from) ? stretch.from() : from;
      to = meets && stretch.to().isAfter(to) ? stretch.to() : to;
    }
    return new Window(from, to);
  }

  /**
   * Lengths of the pauses in a window, chosen to delay as few requests as the metrics allow. Lost
   * time grows with the square of a pause's length, so it is smallest if all pauses between two
   * scrapes have equal length, except for a known longest one.
   */
  List<Duration> least(Window window) {
    List<Duration> lengths = new ArrayList<>();
    for (Window stretch : Meter.stretches(seconds)) {
      if (window.contains(stretch.from()) && window.contains(stretch.to().minusMillis(1))) {
        addLeast(stretch, lengths);
      }
    }
    return lengths;
  }

  private void addLeast(Window stretch, List<Duration> lengths) {
    int count = (int) Math.round(Meter.grown(pauses, stretch).orElse(0));
    double sum = Meter.grown(seconds, stretch).orElse(0);
    if (count == 0) {
      return;
    }
    double longest = Math.max(sum / count, Math.min(sum, newLongest(stretch)));
    lengths.add(Durations.ofSeconds(longest));
    for (int i = 1; i < count; i++) {
      lengths.add(Durations.ofSeconds((sum - longest) / (count - 1)));
    }
  }

  /**
   * The same, chosen to delay as many requests as possible: as many pauses of the largest possible
   * length as fit into the time stopped.
   */
  List<Duration> most(Window window) {
    List<Duration> lengths = new ArrayList<>();
    for (Window stretch : Meter.stretches(seconds)) {
      if (window.contains(stretch.from()) && window.contains(stretch.to().minusMillis(1))) {
        double sum = Meter.grown(seconds, stretch).orElse(0);
        Duration left = Durations.ofSeconds(sum);
        Duration longest = Durations.ofSeconds(longestAtMost(stretch).orElse(sum));
        while (!left.isZero() && !longest.isZero()) {
          Duration one = left.compareTo(longest) < 0 ? left : longest;
          lengths.add(one);
          left = left.minus(one);
        }
      }
    }
    return lengths;
  }

  /**
   * The longest pause, if the metric shows it at the end of an interval and not at its start; else
   * 0.
   */
  private double newLongest(Window stretch) {
    List<Point> points = longest(stretch);
    double before = points.isEmpty() ? 0 : points.get(0).value();
    double after = points.isEmpty() ? 0 : points.get(points.size() - 1).value();
    return after > before ? after : 0;
  }

  /** Upper bound of the longest pause of an interval. */
  private OptionalDouble longestAtMost(Window stretch) {
    double mean =
        Meter.grown(seconds, stretch).orElse(0)
            / Math.max(1, Meter.grown(pauses, stretch).orElse(1));
    return longest(stretch).stream().mapToDouble(Point::value).filter(value -> value >= mean).max();
  }

  private List<Point> longest(Window stretch) {
    return most(sameMachine(timeline, seconds, MetricMeaning.GC_LONGEST_PAUSE))
        .map(series -> Meter.inside(series, stretch))
        .orElse(List.of());
  }

  /**
   * Share of the old generation's maximum size in use after GC, at the last scrape of a window that
   * has it, 0 to 1.
   */
  public OptionalDouble oldInUse(Window window) {
    OptionalDouble share = last(MetricMeaning.OLD_AFTER_GC, window);
    OptionalDouble bytes = last(MetricMeaning.OLD_AFTER_GC_BYTES, window);
    OptionalDouble limit = last(MetricMeaning.OLD_MAX, window);
    return share.isPresent() || bytes.isEmpty() || limit.isEmpty()
        ? share
        : OptionalDouble.of(bytes.getAsDouble() / limit.getAsDouble());
  }

  /**
   * Mean share of the committed heap in use, 0 to 1, garbage included; empty with fewer than three
   * scrapes of both in the window.
   */
  public OptionalDouble heapInUse(Window window) {
    OptionalDouble used = mean(MetricMeaning.HEAP_USED, window);
    OptionalDouble committed = mean(MetricMeaning.HEAP_COMMITTED, window);
    return used.isPresent() && committed.orElse(0) > 0
        ? OptionalDouble.of(used.getAsDouble() / committed.getAsDouble())
        : OptionalDouble.empty();
  }

  private OptionalDouble mean(MetricMeaning meaning, Window window) {
    return Gauge.busiest(timeline, meaning)
        .map(gauge -> gauge.mean(window))
        .orElse(OptionalDouble.empty());
  }

  /** Exporters show zero before the first collection. */
  private OptionalDouble last(MetricMeaning meaning, Window window) {
    return most(sameMachine(timeline, seconds, meaning))
        .map(series -> Meter.inside(series, window))
        .orElse(List.of())
        .stream()
        .mapToDouble(Point::value)
        .filter(value -> value > 0)
        .reduce((earlier, later) -> later);
  }

  /** Share of the time in pauses that full GCs have, by cause; empty where none is stated. */
  public Map<String, Double> full(Window window) {
    Window told = told(window);
    Map<String, Double> shares = new TreeMap<>();
    for (MetricSeries one :
        sameMachine(timeline, seconds, MetricMeaning.FULL_GC_SECONDS).toList()) {
      Point first = one.points().get(0);
      // The counter of a cause begins with the first such GC.
      boolean begins =
          told.contains(first.at()) && first.at().isAfter(seconds.points().get(0).at());
      double grown = Meter.grown(one, told).orElse(0) + (begins ? first.value() : 0);
      if (grown > 0) {
        String cause = String.join("", one.labelsButMachine().values());
        shares.merge(cause, grown / Meter.grown(seconds, told).orElse(grown), Double::sum);
      }
    }
    return shares;
  }

  /**
   * The time that requests lost to pauses in an incident, in thread-seconds, over all pause lengths
   * that the metrics allow. Its lower bound is the figure that counts.
   */
  public Estimate lost(Incident incident) {
    Window window = incident.window();
    double least = StopCost.keptOutSeconds(incident, least(window), window);
    double most = StopCost.keptOutSeconds(incident, most(window), window);
    return new Estimate(least, least, Math.max(least, most));
  }

  public Source source() {
    return seconds.source();
  }
}
