package io.gcdiag.read.metrics;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.ThrottleCount;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
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
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Meters of the machine's CPUs and of the container's quota, converted to the evidence of a
 * recording. If a recording has the same evidence, it alone counts, because it is more exact, and a
 * counter read by both at different times would seem to fall.
 */
public final class MachineMeters {

  /** Cgroups that are no container: the pod they are in, and its pause container. */
  private static final List<String> NO_CONTAINER = List.of("", "POD");

  private static final String CONTAINER = "container";

  /** A control group without a limit states a size like this, which no machine has. */
  private static final double NO_LIMIT = 1e15;

  /** Memory that is full fills and empties in minutes, and scripts come after the incident. */
  private static final Duration SAME_MEMORY = Duration.ofMinutes(10);

  /** Tools that run one after another state the load of the same time. */
  private static final Duration SAME_TIME = Duration.ofSeconds(10);

  /** The series of one process or container by meaning, each with its values by time. */
  private record Meters(SortedMap<String, String> labels, Map<MetricMeaning, MetricSeries> series) {

    private SortedMap<Instant, Double> values(MetricMeaning meaning) {
      SortedMap<Instant, Double> values = new TreeMap<>();
      if (series.containsKey(meaning)) {
        series.get(meaning).points().forEach(point -> values.put(point.at(), point.value()));
      }
      return values;
    }

    /** The source of the first of these series. */
    private Source source(MetricMeaning... meanings) {
      return Stream.of(meanings)
          .filter(series::containsKey)
          .map(series::get)
          .findFirst()
          .orElseThrow()
          .source();
    }

    private double last(MetricMeaning meaning) {
      SortedMap<Instant, Double> values = values(meaning);
      return values.isEmpty() ? 0 : values.get(values.lastKey());
    }
  }

  private MachineMeters() {}

  /** Adds what no recording in the timeline says already. */
  public static void into(TimelineBuilder timeline, List<MetricSeries> series) {
    if (timeline.cpu().isEmpty()) {
      cpu(timeline, series);
    }
    if (timeline.samples(ThrottleCount.class).isEmpty()) {
      quota(timeline, series);
    }
    if (timeline.samples(MachineMemory.class).isEmpty()) {
      machineMemory(timeline, series);
    }
    if (timeline.samples(NativeMemory.class).isEmpty()) {
      nativeMemory(timeline, series);
    }
    if (timeline.samples(ResidentMemory.class).isEmpty()) {
      processMemory(timeline, series);
    }
    kills(timeline, series);
  }

  /** A reading long before or after what recordings and logs cover shows nothing of that time. */
  private static void seen(TimelineBuilder timeline, Signal signal, Instant at, Duration near) {
    boolean elsewhere =
        timeline
            .datedSpan()
            .filter(
                span -> at.isBefore(span.from().minus(near)) || !at.isBefore(span.to().plus(near)))
            .isPresent();
    if (!elsewhere) {
      timeline.signal(signal, SignalState.SEEN);
    }
  }

  /**
   * Shares of the CPUs that the process may use, else of those that its container may. Of several
   * processes the one that used most; where only its own use is known, others may have used the
   * rest.
   */
  private static void cpu(TimelineBuilder timeline, List<MetricSeries> series) {
    List<MetricSeries> processes =
        series.stream().filter(one -> !one.meaning().ofContainer()).toList();
    Optional<Meters> busiest =
        Stream.of(by(processes, MetricSeries::labelsOfMachine), containers(series))
            .flatMap(groups -> busiest(groups, timeline).stream())
            .findFirst();
    if (busiest.isEmpty()) {
      return;
    }
    SortedMap<Instant, Double> machine = busiest.get().values(MetricMeaning.MACHINE_CPU);
    own(busiest.get(), timeline)
        .forEach(
            (at, own) -> {
              Optional<Double> all =
                  near(machine, at).map(one -> Math.min(1, one)).filter(MachineMeters::isShare);
              // The first reading of a JVM has nothing to compare with and may be negative.
              if (isShare(own)) {
                double least = Math.max(own, all.orElse(own));
                timeline.cpu(new CpuLoad(at, own, 0, least, all.isPresent() ? least : 1));
                seen(timeline, Signal.CPU_LOAD, at, SAME_TIME);
              }
            });
    int cpus = (int) Math.round(busiest.get().last(MetricMeaning.CPUS));
    if (cpus > 0) {
      timeline.jvm(JvmFacts.ofCpus(OptionalInt.of(cpus)));
    }
  }

  private static Optional<Meters> busiest(List<Meters> groups, TimelineBuilder timeline) {
    return groups.stream()
        .filter(one -> !own(one, timeline).isEmpty())
        .max(
            Comparator.comparingDouble(
                one -> own(one, timeline).values().stream().mapToDouble(value -> value).sum()));
  }

  /**
   * Its share of the CPUs: as it says itself, or the growth of its CPU time where CPUs are known. A
   * container has those of its quota.
   */
  private static SortedMap<Instant, Double> own(Meters meters, TimelineBuilder timeline) {
    SortedMap<Instant, Double> stated = meters.values(MetricMeaning.PROCESS_CPU);
    double counted = meters.last(MetricMeaning.CPUS);
    double cpus = counted > 0 ? counted : timeline.jvm().cpus().orElse(0);
    SortedMap<Instant, Double> shares = new TreeMap<>();
    if (cpus > 0) {
      meters.values(MetricMeaning.PROCESS_CORES).forEach((at, used) -> shares.put(at, used / cpus));
    }
    if (!stated.isEmpty() || !shares.isEmpty()) {
      return stated.isEmpty() ? shares : stated;
    }
    if (cpus > 0) {
      grown(meters.values(MetricMeaning.PROCESS_CPU_SECONDS), any -> cpus, shares);
    }
    SortedMap<Instant, Double> quota = meters.values(MetricMeaning.CPU_QUOTA);
    SortedMap<Instant, Double> period = meters.values(MetricMeaning.CPU_PERIOD);
    if (shares.isEmpty()) {
      grown(
          meters.values(MetricMeaning.CONTAINER_CPU_SECONDS),
          at -> quota.getOrDefault(at, 0.0) / period.getOrDefault(at, 1.0),
          shares);
    }
    return shares;
  }

  /** The growth of a counter of CPU time, as a share of the CPUs at that time if they are known. */
  private static void grown(
      SortedMap<Instant, Double> seconds,
      ToDoubleFunction<Instant> cpus,
      SortedMap<Instant, Double> shares) {
    Optional<Instant> before = Optional.empty();
    for (Instant at : seconds.keySet()) {
      double most =
          before.map(last -> Durations.seconds(Duration.between(last, at))).orElse(0.0)
              * cpus.applyAsDouble(at);
      if (most > 0) {
        shares.put(at, (seconds.get(at) - seconds.get(before.orElseThrow())) / most);
      }
      before = Optional.of(at);
    }
  }

  private static Optional<Double> near(SortedMap<Instant, Double> values, Instant at) {
    return values.subMap(at.minus(SAME_TIME), at.plus(SAME_TIME)).entrySet().stream()
        .min(Comparator.comparing(one -> Duration.between(one.getKey(), at).abs()))
        .map(Map.Entry::getValue);
  }

  private static boolean isShare(double value) {
    return value >= 0 && value <= 1;
  }

  /**
   * Memory and swap space of a machine; where the process itself is swapped, that is what counts.
   */
  private static void machineMemory(TimelineBuilder timeline, List<MetricSeries> series) {
    for (Meters machine : by(series, MetricSeries::labelsOfMachine)) {
      SortedMap<Instant, Double> available = machine.values(MetricMeaning.MEMORY_AVAILABLE);
      machine
          .values(MetricMeaning.MEMORY_TOTAL)
          .forEach(
              (at, total) ->
                  Optional.ofNullable(available.get(at))
                      .filter(free -> free <= total)
                      .ifPresent(
                          free -> {
                            timeline.sample(
                                new MachineMemory(
                                    at,
                                    bytes(total),
                                    bytes(total - free),
                                    machine.source(MetricMeaning.MEMORY_TOTAL)));
                            seen(timeline, Signal.MACHINE_MEMORY, at, SAME_MEMORY);
                          }));
      swap(machine)
          .forEach(
              (at, used) -> {
                timeline.sample(
                    new SwapSpace(
                        at,
                        bytes(used),
                        Optional.ofNullable(machine.values(MetricMeaning.SWAP_TOTAL).get(at))
                            .map(MachineMeters::bytes),
                        machine.source(
                            MetricMeaning.PROCESS_SWAP,
                            MetricMeaning.SWAP_USED,
                            MetricMeaning.SWAP_FREE)));
                seen(timeline, Signal.MACHINE_MEMORY, at, SAME_MEMORY);
              });
    }
  }

  private static SortedMap<Instant, Double> swap(Meters machine) {
    for (MetricMeaning used : List.of(MetricMeaning.PROCESS_SWAP, MetricMeaning.SWAP_USED)) {
      if (machine.series().containsKey(used)) {
        return machine.values(used);
      }
    }
    SortedMap<Instant, Double> swap = new TreeMap<>(machine.values(MetricMeaning.SWAP_TOTAL));
    SortedMap<Instant, Double> free = machine.values(MetricMeaning.SWAP_FREE);
    swap.keySet().retainAll(free.keySet());
    swap.replaceAll((at, total) -> Math.max(0, total - free.get(at)));
    return swap;
  }

  /** Committed memory of the parts of the JVM, by its native memory tracking. */
  private static void nativeMemory(TimelineBuilder timeline, List<MetricSeries> series) {
    for (MetricSeries one : series) {
      if (one.meaning() == MetricMeaning.NATIVE_COMMITTED) {
        String part = one.labels().getOrDefault("part", "");
        for (Point point : one.points()) {
          timeline.sample(new NativeMemory(point.at(), part, bytes(point.value()), one.source()));
        }
      }
    }
  }

  /** The process or container with most memory; its working set where nothing else is known. */
  private static void processMemory(TimelineBuilder timeline, List<MetricSeries> series) {
    boolean known = series.stream().anyMatch(one -> one.meaning() == MetricMeaning.RESIDENT);
    MetricMeaning used = known ? MetricMeaning.RESIDENT : MetricMeaning.WORKING_SET;
    containers(series).stream()
        .max(Comparator.comparingDouble(one -> one.last(used)))
        .filter(one -> one.last(used) > 0)
        .ifPresent(
            one ->
                one.values(used)
                    .forEach(
                        (at, bytes) -> {
                          timeline.sample(new ResidentMemory(at, bytes(bytes), one.source(used)));
                          seen(timeline, Signal.MACHINE_MEMORY, at, SAME_MEMORY);
                        }));
    containers(series).stream()
        .filter(one -> one.last(MetricMeaning.MEMORY_LIMIT) > 0)
        .filter(one -> one.last(MetricMeaning.MEMORY_LIMIT) < NO_LIMIT)
        .max(Comparator.comparingDouble(one -> one.last(used)))
        .ifPresent(
            one ->
                one.values(MetricMeaning.MEMORY_LIMIT)
                    .forEach(
                        (at, limit) ->
                            timeline.sample(
                                new MemoryLimit(
                                    at, bytes(limit), one.source(MetricMeaning.MEMORY_LIMIT)))));
  }

  /** Each reading by which the kernel had killed a process; two series may count the same kills. */
  private static void kills(TimelineBuilder timeline, List<MetricSeries> series) {
    series.stream()
        .filter(one -> one.meaning() == MetricMeaning.OOM_KILLS)
        .max(Comparator.comparingInt(one -> rises(one).size()))
        .ifPresent(
            one ->
                rises(one)
                    .forEach(
                        at ->
                            timeline.sample(
                                new LoggedError(
                                    at,
                                    LoggedError.Kind.KILLED_FOR_MEMORY,
                                    "OOMKilled",
                                    "",
                                    one.source()))));
  }

  private static List<Instant> rises(MetricSeries series) {
    List<Point> points = series.points();
    return IntStream.range(1, points.size())
        .filter(i -> points.get(i).value() > points.get(i - 1).value())
        .mapToObj(i -> points.get(i).at())
        .toList();
  }

  private static Bytes bytes(double value) {
    return Bytes.of(Math.max(0, Math.round(value)));
  }

  /** The containers, and not the pods that they are in; else every process. */
  private static List<Meters> containers(List<MetricSeries> series) {
    List<Meters> groups = by(series, MetricSeries::labels);
    List<Meters> containers =
        groups.stream()
            .filter(one -> one.labels().containsKey(CONTAINER))
            .filter(one -> !NO_CONTAINER.contains(one.labels().get(CONTAINER)))
            .toList();
    return containers.isEmpty() ? groups : containers;
  }

  /** The container that was throttled longest. */
  private static void quota(TimelineBuilder timeline, List<MetricSeries> series) {
    containers(series).stream()
        .filter(
            one ->
                one.series().containsKey(MetricMeaning.CPU_PERIODS)
                    || one.series().containsKey(MetricMeaning.CPU_QUOTA))
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
        .flatMap(
            point ->
                near(period, point.at())
                    .filter(length -> length > 0)
                    .map(length -> quota(point, length, meters))
                    .stream())
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
