package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.HeapSample;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.LatencyBound;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.loadtests.Comparison.ChangeCertainty;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.stats.TwoSamples;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** The single values behind a figure, by which to test whether the figures of two runs differ. */
record MeasuredValues(Timeline timeline, Window window, Duration block) {

  /** A percentile of measured values; a simulated one has more values behind it. */
  private static final Pattern LATENCY = Pattern.compile("latency\\.p(\\d+(?:\\.\\d+)?)");

  /**
   * Load, collections and queues fluctuate within a second or two, so means over this time are
   * nearly independent, and half a minute still has enough of them.
   */
  private static final Duration BLOCK = Duration.ofSeconds(2);

  /** More values, of more than an hour, would not reveal a smaller difference that matters. */
  private static final int MOST_BLOCKS = 2_000;

  private static final String SERVER = "server.";

  /**
   * Length of a block in two windows: the smallest multiple of {@link #BLOCK} that limits the
   * number of blocks.
   */
  static Duration block(Window first, Window second) {
    Duration longer = first.seconds() > second.seconds() ? first.length() : second.length();
    return BLOCK.multipliedBy(1 + longer.dividedBy(BLOCK.multipliedBy(MOST_BLOCKS)));
  }

  /** Whether a figure of the two runs differs by more than chance. */
  static ChangeCertainty certainty(
      String metric, Timeline before, Window first, Timeline after, Window second) {
    Duration block = block(first, second);
    MeasuredValues one = new MeasuredValues(before, first, block);
    MeasuredValues two = new MeasuredValues(after, second, block);
    if (metric.equals("gc.pause.count")) {
      return one.countAgainst(two);
    }
    double[] a = one.of(metric);
    double[] b = two.of(metric);
    OptionalDouble chance = TwoSamples.differByChance(a, b);
    if (chance.isEmpty()) {
      return ChangeCertainty.unknown(
          a.length == 0 && b.length == 0
              ? "one value for each run"
              : "only " + Math.min(a.length, b.length) + " values in one of the runs");
    }
    return new ChangeCertainty(
        chance, one.basis(metric) + ", " + a.length + " and " + b.length + " values");
  }

  private ChangeCertainty countAgainst(MeasuredValues other) {
    long a = timeline.pauses(window).size();
    long b = other.timeline.pauses(other.window).size();
    return new ChangeCertainty(
        OptionalDouble.of(
            TwoSamples.ratesDifferByChance(a, window.seconds(), b, other.window.seconds())),
        "two Poisson rates, " + a + " and " + b + " pauses");
  }

  private String basis(String metric) {
    return switch (metric) {
      case "gc.pause.mean" -> "rank test on pauses";
      case "heap.used.after", "heap.committed", "heap.free.ratio" -> "rank test on collections";
      case "pool.pending", "pool.active", "workers.busy" -> "rank test on scrapes";
      default -> "rank test on means of " + Durations.format(block);
    };
  }

  private double[] of(String metric) {
    return switch (metric) {
      case "gc.pause.mean" ->
          values(timeline.pauses(window), pause -> Durations.seconds(pause.duration()));
      case "gc.pause.sum", "gc.pause.share" -> stopped();
      case "heap.used.after" -> heap(sample -> sample.used().value());
      case "heap.committed" -> heap(sample -> sample.committed().value());
      case "heap.free.ratio" ->
          heap(sample -> 1 - (double) sample.used().value() / sample.committed().value());
      case "pool.waiting" -> waits(WaitKind.POOL);
      case "downstream.waiting" -> waits(WaitKind.DOWNSTREAM);
      case "lock.waiting" -> waits(WaitKind.LOCK);
      case "pool.pending" -> pool(MetricMeaning.POOL_PENDING);
      case "pool.active" -> pool(MetricMeaning.POOL_ACTIVE);
      case "workers.busy" -> scraped(Gauge.busiest(timeline, MetricMeaning.REQUEST_THREADS_BUSY));
      case "cpu.machine" -> cpu(load -> load.machineTotal());
      case "cpu.jvm" -> cpu(load -> load.jvm());
      default -> requests(metric);
    };
  }

  /** Figures of the service's own meter are named like those of the load test, after a prefix. */
  private double[] requests(String name) {
    String metric = name.startsWith(SERVER) ? name.substring(SERVER.length()) : name;
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    if (series.isEmpty()) {
      return new double[0];
    }
    if (metric.equals("request.rate")) {
      return blocks(block -> Numbers.of(series.get().rate(block), rate -> rate.perSecond()));
    }
    if (metric.equals("latency.mean")) {
      return blocks(
          block ->
              Numbers.of(
                  series.get().within(block).latencies().mean(), mean -> Durations.seconds(mean)));
    }
    Matcher latency = LATENCY.matcher(metric);
    if (latency.matches()) {
      double percentile = Double.parseDouble(latency.group(1));
      return blocks(block -> latency(series.get().within(block), percentile));
    }
    return new double[0];
  }

  private static OptionalDouble latency(RequestInterval requests, double percentile) {
    Optional<Duration> value =
        requests.latencies().percentile(percentile).flatMap(LatencyBound::value);
    return Numbers.of(value, known -> Durations.seconds(known));
  }

  private double[] stopped() {
    double[] seconds = new double[blocks()];
    Pauses pauses = timeline.pauses();
    long origin = Nanos.since1970(window.from());
    long length = block.toNanos();
    for (int i = 0; i < pauses.size(); i++) {
      long first = Math.max(0, pauses.startNanos(i) - origin);
      long end = pauses.endNanos(i) - origin;
      for (long at = first / length; at < seconds.length && at * length < end; at++) {
        long inside = Math.min(end, (at + 1) * length) - Math.max(first, at * length);
        seconds[(int) at] += Nanos.seconds(inside);
      }
    }
    return seconds;
  }

  private double[] heap(ToDoubleFunction<HeapSample> value) {
    Predicate<HeapSample> after =
        sample ->
            sample.moment() == HeapSample.Moment.AFTER_COLLECTION && sample.committed().value() > 0;
    return values(timeline.heap(window).stream().filter(after).toList(), value);
  }

  private double[] waits(WaitKind kind) {
    List<WaitSeries> series = UserWaits.of(timeline, kind);
    return blocks(block -> OptionalDouble.of(WaitSeries.seconds(series, block)));
  }

  private double[] pool(MetricMeaning meaning) {
    return scraped(PoolMeters.of(timeline).flatMap(pool -> pool.gauge(meaning)));
  }

  private double[] scraped(Optional<Gauge> gauge) {
    return gauge.map(meter -> meter.values(window)).orElse(new double[0]);
  }

  private double[] cpu(ToDoubleFunction<CpuLoad> value) {
    return blocks(block -> timeline.cpu(block).stream().mapToDouble(value).average());
  }

  private interface BlockValue {
    OptionalDouble of(Window block);
  }

  private double[] blocks(BlockValue value) {
    return IntStream.range(0, blocks())
        .mapToObj(i -> value.of(window.part(block, i)))
        .flatMapToDouble(OptionalDouble::stream)
        .toArray();
  }

  private int blocks() {
    return (int) window.length().dividedBy(block);
  }

  private static <T> double[] values(List<T> items, ToDoubleFunction<T> value) {
    return items.stream().mapToDouble(value).toArray();
  }
}
