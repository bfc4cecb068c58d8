package io.gcdiag.read.metrics;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What meters say of the machine's CPUs and of the container's quota, as the evidence that a
 * recording gives. Where there is a recording that says it, it counts alone: it is the more exact
 * one, and two that read one counter at different moments would make it fall.
 */
public final class MachineMeters {

  /** Cgroups that are no container: the pod they are in, and its pause container. */
  private static final List<String> NO_CONTAINER = List.of("", "POD");

  private static final String CONTAINER = "container";

  /** The series of one process or container by meaning, each with its values by time. */
  private record Meters(SortedMap<String, String> labels, Map<MetricMeaning, MetricSeries> series) {

    private SortedMap<Instant, Double> values(MetricMeaning meaning) {
      SortedMap<Instant, Double> values = new TreeMap<>();
      if (series.containsKey(meaning)) {
        series.get(meaning).points().forEach(point -> values.put(point.at(), point.value()));
      }
      return values;
    }

    private double last(MetricMeaning meaning) {
      SortedMap<Instant, Double> values = values(meaning);
      return values.isEmpty() ? 0 : values.get(values.lastKey());
    }
  }

  private MachineMeters() {}

  /** Adds to a timeline what no recording says. */
  public static void into(TimelineBuilder timeline, List<MetricSeries> series) {
    if (timeline.cpu().isEmpty()) {
      cpu(timeline, series);
    }
    if (timeline.samples(ThrottleCount.class).isEmpty()) {
      quota(timeline, series);
    }
  }

  /**
   * Shares of the CPUs that the process may use. Of several processes the one that used most; where
   * only its own use is known, others may have used the rest.
   */
  private static void cpu(TimelineBuilder timeline, List<MetricSeries> series) {
    Optional<Meters> busiest =
        by(series, MetricSeries::labelsOfMachine).stream()
            .filter(one -> !own(one, timeline).isEmpty())
            .max(
                Comparator.comparingDouble(
                    one -> own(one, timeline).values().stream().mapToDouble(value -> value).sum()));
    if (busiest.isEmpty()) {
      return;
    }
    SortedMap<Instant, Double> machine = busiest.get().values(MetricMeaning.MACHINE_CPU);
    own(busiest.get(), timeline)
        .forEach(
            (at, own) -> {
              Optional<Double> all =
                  Optional.ofNullable(machine.get(at)).filter(MachineMeters::isShare);
              // The first reading of a JVM has nothing to compare with and may be negative.
              if (isShare(own)) {
                double least = Math.max(own, all.orElse(own));
                timeline.cpu(new CpuLoad(at, own, 0, least, all.isPresent() ? least : 1));
                timeline.signal(Signal.CPU_LOAD, SignalState.SEEN);
              }
            });
    int cpus = (int) Math.round(busiest.get().last(MetricMeaning.CPUS));
    if (cpus > 0) {
      JvmFacts none = JvmFacts.unknown();
      timeline.jvm(
          new JvmFacts(
              none.version(),
              none.collector(),
              none.initialHeap(),
              none.maxHeap(),
              OptionalInt.of(cpus),
              none.start(),
              none.flags()));
    }
  }

  /**
   * Its share of the CPUs: as it says itself, or the growth of its CPU time where CPUs are known.
   */
  private static SortedMap<Instant, Double> own(Meters meters, TimelineBuilder timeline) {
    SortedMap<Instant, Double> stated = meters.values(MetricMeaning.PROCESS_CPU);
    double counted = meters.last(MetricMeaning.CPUS);
    double cpus = counted > 0 ? counted : timeline.jvm().cpus().orElse(0);
    SortedMap<Instant, Double> seconds = meters.values(MetricMeaning.PROCESS_CPU_SECONDS);
    if (!stated.isEmpty() || cpus == 0 || seconds.isEmpty()) {
      return stated;
    }
    SortedMap<Instant, Double> shares = new TreeMap<>();
    Instant before = seconds.firstKey();
    for (Instant at : seconds.tailMap(before.plusNanos(1)).keySet()) {
      double grown = seconds.get(at) - seconds.get(before);
      shares.put(at, grown / Durations.seconds(Duration.between(before, at)) / cpus);
      before = at;
    }
    return shares;
  }

  private static boolean isShare(double value) {
    return value >= 0 && value <= 1;
  }

  /** Of several containers the one that was throttled for longest. */
  private static void quota(TimelineBuilder timeline, List<MetricSeries> series) {
    List<Meters> groups = by(series, MetricSeries::labels);
    List<Meters> containers =
        groups.stream()
            .filter(one -> one.labels().containsKey(CONTAINER))
            .filter(one -> !NO_CONTAINER.contains(one.labels().get(CONTAINER)))
            .toList();
    (containers.isEmpty() ? groups : containers)
        .stream()
            .filter(one -> one.series().containsKey(MetricMeaning.CPU_PERIODS))
            .max(Comparator.comparingDouble(one -> one.last(MetricMeaning.CPU_THROTTLED_SECONDS)))
            .ifPresent(one -> quota(timeline, one));
  }

  private static void quota(TimelineBuilder timeline, Meters meters) {
    SortedMap<Instant, Double> throttled = meters.values(MetricMeaning.CPU_PERIODS_THROTTLED);
    SortedMap<Instant, Double> seconds = meters.values(MetricMeaning.CPU_THROTTLED_SECONDS);
    meters
        .values(MetricMeaning.CPU_PERIODS)
        .forEach(
            (at, periods) -> {
              if (throttled.containsKey(at) && seconds.containsKey(at)) {
                timeline.sample(
                    new ThrottleCount(
                        at,
                        Math.round(periods),
                        Math.round(throttled.get(at)),
                        Durations.ofSeconds(seconds.get(at)),
                        meters.series().get(MetricMeaning.CPU_PERIODS_THROTTLED).source()));
                timeline.signal(Signal.CPU_THROTTLING, SignalState.SEEN);
              }
            });
    SortedMap<Instant, Double> period = meters.values(MetricMeaning.CPU_PERIOD);
    Optional.ofNullable(meters.series().get(MetricMeaning.CPU_QUOTA))
        .map(MetricSeries::points)
        .orElse(List.of())
        .stream()
        .filter(point -> period.getOrDefault(point.at(), 0.0) > 0)
        .map(point -> quota(point, period.get(point.at()), meters))
        .forEach(timeline::sample);
  }

  private static CpuQuota quota(Point quota, double period, Meters meters) {
    Optional<Duration> limit =
        Optional.of(quota.value()).filter(value -> value > 0).map(Durations::ofSeconds);
    return new CpuQuota(
        quota.at(),
        limit,
        Durations.ofSeconds(period),
        meters.series().get(MetricMeaning.CPU_QUOTA).source());
  }

  private static List<Meters> by(
      List<MetricSeries> series, Function<MetricSeries, SortedMap<String, String>> of) {
    Map<SortedMap<String, String>, Meters> groups = new HashMap<>();
    for (MetricSeries one : series) {
      groups
          .computeIfAbsent(
              of.apply(one), labels -> new Meters(labels, new EnumMap<>(MetricMeaning.class)))
          .series()
          .merge(one.meaning(), one, (a, b) -> a.points().size() >= b.points().size() ? a : b);
    }
    return groups.values().stream()
        .sorted(Comparator.comparing(group -> group.labels().toString()))
        .toList();
  }
}
