package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.loadtests.Correlations.Lead;
import io.gcdiag.loadtests.Correlations.Lead.Verdict;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CorrelatorTest extends CorrelationScene {

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
    assertEquals("P95", basis.name());
    assertEquals(Duration.ofSeconds(10), basis.interval());
    assertEquals(30, basis.intervalsKnown());
    // A reading tells of the ten seconds before it.
    assertEquals(new Window(START.minusSeconds(10), START.plusSeconds(290)), basis.span());
  }

  @Test
  void withoutPercentilesTheMeanIsWhatOthersMoveWith() {
    // A timer: 100 requests in each ten seconds, whose mean follows the queue.
    double[] queue = values(30, i -> 1 + i % 3);
    List<RequestInterval> intervals =
        IntStream.range(0, 30)
            .mapToObj(
                i ->
                    new RequestInterval(
                        START.plusSeconds(10L * i),
                        Duration.ofSeconds(10),
                        100,
                        0,
                        Latencies.ofTotal(100, 5 * queue[i])))
            .toList();
    Correlations result =
        Correlator.correlate(
            new TimelineBuilder()
                .requestSeries(
                    new RequestSeries(
                        "metrics", Duration.ofSeconds(10), intervals, new Source("m.json", "")))
                // A reading tells of the ten seconds before it.
                .metric(other("queue", values(31, i -> i == 0 ? Double.MIN_VALUE : queue[i - 1])))
                .build(),
            P95);
    assertEquals("the mean latency", result.basis().orElseThrow().name());
    assertEquals(1, lead(result, "queue").strength().orElseThrow().pearson(), 1e-6);
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
        "Not enough data: P95 is known in 7 intervals of 10 s, and at least 10 are needed.",
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

  /** Calls take as long as the latency says, and the more seldom they are the longer. */
  @Test
  void theTimeOfCallsIsTakenByItsMean() {
    double[] latency = values(30, i -> 1 + i % 7);
    double[] count = new double[30];
    double[] sum = new double[30];
    for (int i = 1; i < count.length; i++) {
      double calls = 420 / latency[i];
      count[i] = count[i - 1] + calls;
      sum[i] = sum[i - 1] + calls * latency[i];
    }
    for (MetricMeaning meaning : List.of(MetricMeaning.CALL_SECONDS, MetricMeaning.OTHER)) {
      boolean known = meaning == MetricMeaning.CALL_SECONDS;
      Correlations correlations =
          correlate(
              tail(latency),
              series("redis_seconds_sum", meaning, true, sum),
              series("redis_seconds_count", known ? MetricMeaning.CALLS : meaning, true, count));
      assertEquals(
          1, lead(correlations, "mean of redis_seconds").strength().orElseThrow().pearson(), 1e-9);
    }
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
    assertEquals("P95 was constant: nothing can move with it.", result.summary());
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
}
