package io.gcdiag.loadtests;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.loadtests.Correlations.Lead;
import io.gcdiag.loadtests.Correlator.CorrelationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Series made for the purpose, and what the correlator says of them. */
abstract class CorrelationScene {

  static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  static final CorrelationRequest P95 =
      new CorrelationRequest(new Percentile(95), Optional.empty());

  /** A series with a reading every ten seconds. */
  static MetricSeries series(
      String name, MetricMeaning meaning, boolean counter, double... values) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < values.length; i++) {
      points.add(new Point(START.plusSeconds(10L * i), values[i]));
    }
    Map<String, String> labels =
        meaning == MetricMeaning.LATENCY ? Map.of("quantile", "0.95") : Map.of();
    return new MetricSeries(
        name, new TreeMap<>(labels), meaning, counter, points, new Source("metrics.json", name));
  }

  static MetricSeries tail(double... values) {
    return series("latency", MetricMeaning.LATENCY, false, values);
  }

  static MetricSeries other(String name, double... values) {
    return series(name, MetricMeaning.OTHER, false, values);
  }

  static Correlations correlate(MetricSeries... series) {
    TimelineBuilder timeline = new TimelineBuilder();
    List.of(series).forEach(timeline::metric);
    return Correlator.correlate(timeline.build(), P95);
  }

  static Lead lead(Correlations correlations, String name) {
    return correlations.leads().stream()
        .filter(lead -> lead.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " in " + correlations));
  }

  static double[] values(int count, IntToDoubleFunction value) {
    return IntStream.range(0, count).mapToDouble(value).toArray();
  }

  static double[] noise(long seed, int count) {
    Random random = new Random(seed);
    return values(count, i -> random.nextGaussian());
  }

  static double[] walk(long seed, int count) {
    double[] walk = noise(seed, count);
    for (int i = 1; i < count; i++) {
      walk[i] += walk[i - 1];
    }
    return walk;
  }

  /** Intervals of ten seconds in which ten requests of every hundred are slow. */
  static RequestSeries requests(int count, IntUnaryOperator hundreds, IntUnaryOperator slowMillis) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Latencies.Counter counter = new Latencies.Counter();
      int requests = hundreds.applyAsInt(i);
      for (int r = 0; r < requests; r++) {
        counter.add(Duration.ofMillis(r % 10 == 0 ? slowMillis.applyAsInt(i) : 5));
      }
      intervals.add(
          new RequestInterval(
              START.plusSeconds(10L * i),
              Duration.ofSeconds(10),
              requests,
              0,
              counter.latencies()));
    }
    return new RequestSeries("k6", Duration.ofSeconds(10), intervals, new Source("k6.csv", ""));
  }

  static GcPause pause(Instant start, int millis) {
    return new GcPause(
        start,
        Duration.ofMillis(millis),
        PauseKind.YOUNG,
        "",
        OptionalLong.empty(),
        Optional.empty(),
        false,
        new Source("gc.log", "1"));
  }
}
