package io.gcdiag.correlation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.correlation.Lead.Verdict;
import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.Latencies;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.PauseKind;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntToDoubleFunction;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CorrelatorTest {

  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final CorrelationRequest P95 =
      new CorrelationRequest(new Percentile(95), Optional.empty());

  /** A series with a reading every ten seconds. */
  private static MetricSeries series(
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

  private static MetricSeries tail(double... values) {
    return series("latency", MetricMeaning.LATENCY, false, values);
  }

  private static MetricSeries other(String name, double... values) {
    return series(name, MetricMeaning.OTHER, false, values);
  }

  private static Correlations correlate(MetricSeries... series) {
    TimelineBuilder timeline = new TimelineBuilder();
    List.of(series).forEach(timeline::metric);
    return Correlator.correlate(timeline.build(), P95);
  }

  private static Lead lead(Correlations correlations, String name) {
    return correlations.leads().stream()
        .filter(lead -> lead.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new AssertionError(name + " in " + correlations));
  }

  private static double[] values(int count, IntToDoubleFunction value) {
    return IntStream.range(0, count).mapToDouble(value).toArray();
  }

  private static double[] noise(long seed, int count) {
    Random random = new Random(seed);
    return values(count, i -> random.nextGaussian());
  }

  private static double[] walk(long seed, int count) {
    double[] walk = noise(seed, count);
    for (int i = 1; i < count; i++) {
      walk[i] += walk[i - 1];
    }
    return walk;
  }

  @Test
  void aRelationOfKnownStrengthIsMeasured() {
    // A = + + - - and B = + - - + over and over are unrelated to each other and swing too fast to
    // repeat themselves. 3 A + 4 B is related to A by 3/5.
    double[] a = values(32, i -> i % 4 < 2 ? 1 : -1);
    double[] latency = values(32, i -> 10 + 3 * a[i] + 4 * (i % 4 == 0 || i % 4 == 3 ? 1 : -1));
    Correlations result = correlate(tail(latency), other("queue", a));
    Lead lead = lead(result, "queue");
    Lead.Strength strength = lead.strength().orElseThrow();
    assertEquals(32, lead.intervals());
    assertEquals(0.6, strength.pearson(), 1e-9);
    assertEquals(32, strength.effectiveIntervals(), 1e-9);
    // z = 0.6931, and 1.96 / root 29 = 0.3640: tanh(0.3292) to tanh(1.0571).
    assertEquals(0.3178, strength.low(), 0.0001);
    assertEquals(0.7846, strength.high(), 0.0001);
    // Ranks 28.5 - 4.5 .. by four: deviations 12 -4 -12 4 and 8 8 -8 -8, 128 / root (256 x 320).
    assertEquals(0.4472, strength.spearman(), 0.0001);
    // Only one question was asked.
    assertEquals(strength.chance(), strength.chanceCorrected(), 1e-15);
    assertEquals(Verdict.MOVES, lead.verdict());
    assertEquals("1 of 1 series moves with P95: queue (r = 0.60).", result.summary());
  }

  @Test
  void theBasisSaysWhatWasHeldAgainstWhat() {
    Correlations.Basis basis =
        correlate(tail(noise(1, 30)), other("x", noise(2, 30))).basis().orElseThrow();
    assertEquals("P95", basis.tail());
    assertEquals(Duration.ofSeconds(10), basis.interval());
    assertEquals(30, basis.known());
    // A reading tells of the ten seconds before it.
    assertEquals(new Window(START.minusSeconds(10), START.plusSeconds(290)), basis.span());
  }

  @Test
  void aSeriesThatMovesFirstIsFoundToLead() {
    double[] cause = noise(3, 42);
    double[] latency = values(40, i -> i < 2 ? 0 : cause[i - 2]);
    Lead lead = lead(correlate(tail(latency), other("cause", cause)), "cause");
    assertEquals(2, lead.shift().orElseThrow().intervals());
    assertEquals(Duration.ofSeconds(20), lead.shift().get().by());
    assertTrue(lead.shift().get().leads());
    assertEquals(1, lead.shift().get().pearson(), 1e-9);
    assertEquals(Verdict.SHIFTED, lead.verdict());
  }

  @Test
  void aSeriesThatMovesAfterwardsIsFoundToFollow() {
    double[] latency = noise(4, 40);
    double[] effect = values(40, i -> i < 1 ? 0 : latency[i - 1]);
    Lead lead = lead(correlate(tail(latency), other("effect", effect)), "effect");
    assertEquals(-1, lead.shift().orElseThrow().intervals());
    assertEquals(Duration.ofSeconds(10), lead.shift().get().by());
  }

  @Test
  void everyQuestionMakesTheOthersHarder() {
    MetricSeries[] series = new MetricSeries[21];
    series[0] = tail(noise(5, 40));
    for (int i = 1; i <= 20; i++) {
      series[i] = other("x" + i, noise(100 + i, 40));
    }
    Correlations result = correlate(series);
    assertEquals(20, result.leads().size());
    // The chance of the one that is least likely counts twenty times.
    Lead.Strength first =
        result.leads().stream()
            .map(lead -> lead.strength().orElseThrow())
            .min(Comparator.comparingDouble(Lead.Strength::chance))
            .orElseThrow();
    assertEquals(Math.min(1, 20 * first.chance()), first.chanceCorrected(), 1e-12);
    assertTrue(result.leads().stream().allMatch(lead -> lead.verdict() == Verdict.NOT_SHOWN));
    assertEquals("None of 20 series is shown to move with P95.", result.summary());
  }

  @Test
  void independentDriftsAreNotCalledRelated() {
    for (int seed = 0; seed < 20; seed++) {
      MetricSeries[] series = new MetricSeries[11];
      series[0] = tail(walk(1000 * seed, 60));
      for (int i = 1; i <= 10; i++) {
        series[i] = other("x" + i, walk(1000 * seed + i, 60));
      }
      for (Lead lead : correlate(series).leads()) {
        assertEquals(Verdict.NOT_SHOWN, lead.verdict(), lead::toString);
      }
    }
  }

  @Test
  void oneWildIntervalIsNotARelation() {
    double[] latency = noise(6, 40);
    double[] other = noise(7, 40);
    latency[20] = 100;
    other[20] = 100;
    Lead lead = lead(correlate(tail(latency), other("x", other)), "x");
    assertTrue(lead.strength().orElseThrow().pearson() > 0.9);
    assertEquals(Verdict.FEW_INTERVALS, lead.verdict());
  }

  @Test
  void whatHappensNowAndThenIsMoreThanAFewIntervals() {
    // Ten collections in forty intervals, each of which shows: two of them less are still eight.
    double[] latency = noise(6, 40);
    double[] stopped = new double[40];
    for (int i = 0; i < 40; i += 4) {
      latency[i] += 10;
      stopped[i] = 1;
    }
    Lead lead = lead(correlate(tail(latency), other("x", stopped)), "x");
    assertEquals(Verdict.MOVES, lead.verdict());
  }

  @Test
  void fewIntervalsAreSaidToBeFew() {
    Correlations result = correlate(tail(noise(8, 7)), other("x", noise(9, 7)));
    Lead lead = lead(result, "x");
    assertEquals(7, lead.intervals());
    assertTrue(lead.strength().isEmpty());
    assertEquals(Verdict.TOO_FEW, lead.verdict());
    assertEquals(
        "Too little to tell: P95 is known in 7 intervals of 10 s, and at least 10 are needed.",
        result.summary());
  }

  @Test
  void countersAreTakenByTheirGrowth() {
    double[] latency = noise(10, 30);
    double[] counter = new double[30];
    for (int i = 1; i < 30; i++) {
      counter[i] = counter[i - 1] + 5 + latency[i];
    }
    Correlations result =
        correlate(tail(latency), series("m", MetricMeaning.CACHE_MISSES, true, counter));
    Lead lead = lead(result, "cache misses");
    // The first reading has none before it.
    assertEquals(29, lead.intervals());
    assertEquals(1, lead.strength().orElseThrow().pearson(), 1e-9);
  }

  @Test
  void whatDoesNotVaryOrIsOfAnotherTimeIsNamed() {
    MetricSeries later =
        new MetricSeries(
            "later",
            new TreeMap<>(),
            MetricMeaning.OTHER,
            false,
            List.of(new Point(START.plusSeconds(9000), 1), new Point(START.plusSeconds(9010), 2)),
            new Source("metrics.json", "later"));
    Correlations result =
        correlate(
            tail(noise(11, 30)),
            series("max", MetricMeaning.POOL_MAX, false, values(30, i -> 10)),
            later);
    assertTrue(result.leads().isEmpty());
    assertTrue(
        result.notes().contains("left out because they do not vary: size of the pool"),
        result.notes()::toString);
    assertTrue(
        result.notes().contains("nothing is known at the time of the tail of later"),
        result.notes()::toString);
  }

  @Test
  void aLatencyThatNeverChangesIsRelatedToNothing() {
    Correlations result = correlate(tail(values(30, i -> 0.1)), other("x", noise(12, 30)));
    assertEquals("P95 was the same all the time: nothing can move with it.", result.summary());
    assertTrue(result.leads().isEmpty());
  }

  @Test
  void withoutLatencyOverTimeThereIsNoTail() {
    Correlations result = correlate(other("x", noise(13, 30)));
    assertTrue(result.basis().isEmpty());
    assertTrue(result.summary().startsWith("There is no latency over time in the files"));
  }

  @Test
  void otherSeriesOfManyAreLeftOutAndCounted() {
    MetricSeries[] series = new MetricSeries[104];
    series[0] = tail(noise(14, 12));
    for (int i = 1; i < series.length; i++) {
      series[i] = other("x" + i, noise(200 + i, 12));
    }
    Correlations result = correlate(series);
    assertEquals(100, result.leads().size());
    assertTrue(
        result.notes().contains("left out: 3 series beyond the first 100 of the inputs"),
        result.notes()::toString);
  }

  /** Intervals of ten seconds in which ten requests of every hundred are slow. */
  private static RequestSeries requests(
      int count, IntUnaryOperator hundreds, IntUnaryOperator slowMillis) {
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Latencies.Counter counter = new Latencies.Counter();
      int requests = hundreds.applyAsInt(i);
      for (int r = 0; r < requests; r++) {
        counter.add(Duration.ofMillis(r % 10 == 0 ? slowMillis.applyAsInt(i) : 5));
      }
      intervals.add(
          new RequestInterval(START.plusSeconds(10L * i), requests, 0, counter.latencies()));
    }
    return new RequestSeries("k6", Duration.ofSeconds(10), intervals, new Source("k6.csv", ""));
  }

  private static GcPause pause(Instant start, int millis) {
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

  @Test
  void pausesAreHeldAgainstTheTailOfTheRequests() {
    int[] stopped = new Random(15).ints(30, 10, 500).toArray();
    List<GcPause> pauses = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      pauses.add(pause(START.plusSeconds(10L * i + 3), stopped[i]));
    }
    // The log ends after 250 s: of the last five intervals it knows nothing.
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(requests(30, i -> 200, i -> 50 + stopped[i]))
            .pauses("gc.log", pauses)
            .log(new Window(START.minusSeconds(5), START.plusSeconds(250)))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    Lead lead = lead(result, "time stopped in pauses");
    assertEquals(25, lead.intervals());
    // Latencies are kept to one percent.
    assertTrue(lead.strength().orElseThrow().pearson() > 0.99);
    assertEquals(Verdict.MOVES, lead.verdict());
    assertEquals("gc.log", lead.source().toString());
    assertTrue(
        result.notes().get(0).startsWith("left out because they do not vary: requests per second"),
        result.notes()::toString);
  }

  @Test
  void intervalsWithFewRequestsHaveNoPercentile() {
    // Of 100 requests five lie beyond P95, of 90 only 4.5.
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(requests(30, i -> i < 4 ? 90 : 200, i -> 50 + 7 * i))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    assertEquals(26, result.basis().orElseThrow().known());
    assertEquals(
        "4 of 30 intervals are left out: with fewer than 100 requests they have no P95",
        result.notes().get(0));
    assertTrue(
        result.notes().stream().anyMatch(note -> note.startsWith("not in the files: pauses")),
        result.notes()::toString);
  }

  @Test
  void theLatencyOfMetricsIsNotHeldAgainstThatOfTheLoadTest() {
    double[] latency = noise(16, 30);
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(requests(30, i -> 200, i -> 50 + i * i))
            .metric(tail(latency))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    assertTrue(result.leads().isEmpty(), result.leads()::toString);
    assertTrue(
        result.notes().stream().anyMatch(note -> note.startsWith("latencies of the metric")),
        result.notes()::toString);
  }

  @Test
  void aBucketIsSaidToBeNoValue() {
    TreeMap<Duration, Long> fast = new TreeMap<>(Map.of(Duration.ofMillis(100), 200L));
    List<RequestInterval> intervals = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      Latencies latencies = Latencies.ofBuckets(fast, i % 3 == 0 ? 100 : 0);
      intervals.add(
          new RequestInterval(START.plusSeconds(10L * i), latencies.count(), 0, latencies));
    }
    Timeline timeline =
        new TimelineBuilder()
            .requestSeries(
                new RequestSeries(
                    "metrics", Duration.ofSeconds(10), intervals, new Source("m.json", "")))
            .build();
    Correlations result = Correlator.correlate(timeline, P95);
    assertTrue(
        result.notes().get(0).startsWith("P95 is known as a bucket of a histogram only"),
        result.notes()::toString);
    // 100 requests more when the tail is slow.
    assertEquals(1, lead(result, "requests per second").strength().orElseThrow().pearson(), 1e-9);
  }

  @Test
  void percentilesAreWrittenInSeveralWays() {
    TreeSet<String> names = new TreeSet<>();
    List.of("p95", "P95", "95", "95.0").forEach(text -> names.add(Percentile.parse(text) + ""));
    assertEquals(new TreeSet<>(List.of("P95")), names);
    assertEquals("P99.99", Percentile.parse("p99.99").toString());
    for (String wrong : List.of("p0", "p100", "often", "", "-5")) {
      assertThrows(IllegalArgumentException.class, () -> Percentile.parse(wrong), wrong);
    }
  }
}
