package io.gcdiag.stats;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.stats.ChangePoint.Segment;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class ChangePointTest {
  private static double[] series(int length, IntToDoubleFunction value) {
    double[] series = new double[length];
    Arrays.setAll(series, value);
    return series;
  }

  /** Normal noise of variance 1 in which each value resembles the one before by phi. */
  private static double[] noise(long seed, int length, double phi) {
    Random random = new Random(seed);
    double[] series = new double[length];
    double state = random.nextGaussian();
    for (int i = 0; i < length; i++) {
      series[i] = state;
      state = phi * state + Math.sqrt(1 - phi * phi) * random.nextGaussian();
    }
    return series;
  }

  private static double[] sum(double[] a, IntToDoubleFunction b) {
    return series(a.length, i -> a[i] + b.applyAsDouble(i));
  }

  private static void assertSegment(int from, int to, int slack, Optional<Segment> found) {
    Segment segment = found.orElseThrow(() -> new AssertionError("nothing found"));
    assertEquals(from, segment.fromIndex(), slack, () -> "from of " + segment);
    assertEquals(to, segment.toIndex(), slack, () -> "to of " + segment);
  }

  @Test
  void aStepThatLastsToTheEndIsFoundWithItsMeans() {
    Optional<Segment> found = ChangePoint.find(series(120, i -> i < 60 ? 2 : 10));
    assertSegment(60, 120, 0, found);
    assertEquals(10, found.orElseThrow().meanInside());
    assertEquals(2, found.orElseThrow().meanOutside());
    assertEquals(1, found.orElseThrow().superiority());
  }

  @Test
  void aPlainStepIsFoundAlthoughAFewValuesInItAreWild() {
    double[] step = {
      0.18, 0.2, 0.16, 0.14, 0.13, 0.18, 0.13, 0.1, 0.13, 0.12, 0.09, 0.1, 0.09, 0.09, 0.08, 0.11,
      0.1, 0.08, 0.08, 0.08, 0.98, 1.12, 1.02, 1.28, 0.99, 1.1, 0.9, 1.33, 0.96, 2.59, 0.98, 0.97,
      1.08, 0.96, 0.99, 3.92, 1.3, 1.06, 1.01, 1.05, 0.88, 1.08, 7.84, 1.12, 1.04, 1.05
    };
    assertSegment(20, 46, 0, ChangePoint.find(step));
  }

  @Test
  void aNoisyStepIsFoundNearItsEdges() {
    double[] series = sum(noise(1, 120, 0), i -> i >= 60 ? 3 : 0);
    assertSegment(60, 120, 3, ChangePoint.find(series));
  }

  @Test
  void incidentBetweenTwoBaselineTimesIsFound() {
    double[] series = sum(noise(2, 180, 0.4), i -> i >= 60 && i < 120 ? 4 : 0);
    assertSegment(60, 120, 3, ChangePoint.find(series));
  }

  @Test
  void incidentFromTheBeginningIsFound() {
    double[] series = sum(noise(3, 120, 0), i -> i < 30 ? 4 : 0);
    assertSegment(0, 30, 3, ChangePoint.find(series));
  }

  @Test
  void aRampIsFoundFromWhereItHasRisenToItsEnd() {
    double[] series = sum(noise(4, 120, 0), i -> i > 60 ? (i - 60) / 10.0 : 0);
    Segment segment = ChangePoint.find(series).orElseThrow();
    // Somewhere on the rising part, before it is two thirds up.
    assertTrue(segment.fromIndex() >= 60 && segment.fromIndex() <= 100, segment.toString());
    assertEquals(120, segment.toIndex(), 3);
  }

  @Test
  void burstsInEveryThirdBucketAreFound() {
    assertSegment(60, 120, 3, ChangePoint.find(series(120, i -> i >= 60 && i % 3 == 0 ? 50 : 1)));
    Random random = new Random(5);
    double[] counts = series(120, i -> random.nextInt(3) + (i >= 60 && i % 3 == 0 ? 30 : 0));
    assertSegment(60, 120, 4, ChangePoint.find(counts));
  }

  @Test
  void aSpikeInTheBaselineDoesNotHideTheIncident() {
    double[] series = sum(noise(6, 120, 0), i -> i == 20 ? 1000 : i >= 60 && i < 100 ? 3 : 0);
    assertSegment(60, 100, 3, ChangePoint.find(series));
  }

  @Test
  void unknownBucketsAreNeitherHighNorLow() {
    double[] series = series(120, i -> i % 4 == 0 ? Double.NaN : (i < 60 ? 5 : 9) + i % 3 / 10.0);
    Segment segment = ChangePoint.find(series).orElseThrow();
    // 60 is unknown, so the first that is known to be high is 61.
    assertSegment(61, 120, 0, Optional.of(segment));
    // i % 3 over the known places averages 1 on both sides: 5.1 and 9.1.
    assertEquals(9.1, segment.meanInside(), 1e-9);
    assertEquals(5.1, segment.meanOutside(), 1e-9);
  }

  @Test
  void aLongSeriesIsSearchedOnMeansAndItsEdgesSetOnValues() {
    double[] series = sum(noise(7, 3600, 0.3), i -> i >= 1001 && i < 2003 ? 2 : 0);
    assertSegment(1001, 2003, 6, ChangePoint.find(series));
  }

  @Test
  void aConstantSeriesHasNoSegment() {
    assertTrue(ChangePoint.find(series(120, i -> 7)).isEmpty());
    assertTrue(ChangePoint.find(series(120, i -> 0)).isEmpty());
  }

  @Test
  void oneSpikeIsNoSegment() {
    assertTrue(ChangePoint.find(series(120, i -> i == 70 ? 1e6 : 0)).isEmpty());
    assertTrue(ChangePoint.find(sum(noise(8, 120, 0), i -> i == 70 ? 1e6 : 0)).isEmpty());
  }

  @Test
  void aSteadySawtoothIsNoSegment() {
    assertTrue(ChangePoint.find(series(120, i -> i % 10)).isEmpty());
  }

  @Test
  void aDipIsNotTakenForIncidentInside() {
    ChangePoint.find(sum(noise(9, 120, 0), i -> i >= 40 && i < 80 ? -4 : 0))
        .ifPresent(
            segment ->
                assertTrue(
                    segment.toIndex() <= 43 || segment.fromIndex() >= 77, segment.toString()));
  }

  @Test
  void noiseRarelyRaisesAFalseAlarm() {
    int alarms = 0;
    for (int seed = 0; seed < 200; seed++) {
      alarms += ChangePoint.find(noise(seed, 120, 0)).isPresent() ? 1 : 0;
    }
    assertTrue(alarms <= 10, "5 % of 200, was " + alarms);
  }

  @Test
  void noiseThatPersistsRarelyRaisesAFalseAlarm() {
    int alarms = 0;
    for (int seed = 0; seed < 200; seed++) {
      alarms += ChangePoint.find(noise(1000 + seed, 120, 0.6)).isPresent() ? 1 : 0;
    }
    assertTrue(alarms <= 10, "5 % of 200, was " + alarms);
  }

  @Test
  void heavyTailedNoiseRarelyRaisesAFalseAlarm() {
    int alarms = 0;
    for (int seed = 0; seed < 200; seed++) {
      double[] normal = noise(2000 + seed, 120, 0.3);
      double[] heavy = series(120, i -> Math.exp(1.5 * normal[i]));
      alarms += ChangePoint.find(heavy).isPresent() ? 1 : 0;
    }
    assertTrue(alarms <= 10, "5 % of 200, was " + alarms);
  }

  @Test
  void aShortSeriesSaysNothing() {
    assertTrue(ChangePoint.find(new double[0]).isEmpty());
    assertTrue(ChangePoint.find(series(14, i -> i < 7 ? 0 : 9)).isEmpty());
    assertTrue(ChangePoint.find(series(120, i -> i < 10 ? i : Double.NaN)).isEmpty());
  }

  @Test
  void theSameSeriesGivesTheSameAnswer() {
    double[] series = sum(noise(10, 150, 0.5), i -> i >= 60 && i < 110 ? 2.5 : 0);
    assertEquals(ChangePoint.find(series), ChangePoint.find(series.clone()));
  }

  @Test
  void infiniteValuesAreRefused() {
    assertThrows(
        IllegalArgumentException.class,
        () -> ChangePoint.find(series(50, i -> Double.POSITIVE_INFINITY)));
    assertThrows(IllegalArgumentException.class, () -> new Segment(5, 5, 2, 1, 0.9, 0.01));
  }

  @Test
  void aLevelOfTwentyTimesTheRestNeedsNoHundredthOfDoubt() {
    // 26 values of 0.1, ten of 2: of series with such steps chance makes 3 % as clear ones.
    double[] series = new double[36];
    for (int i = 0; i < series.length; i++) {
      series[i] = i < 26 ? 0.1 : 2;
    }
    ChangePoint.Segment segment = ChangePoint.find(series).orElseThrow();
    assertEquals(26, segment.fromIndex());
    assertTrue(segment.pValue() > 0.01, segment::toString);
  }

  @Test
  void aLevelOfTwiceTheRestDoes() {
    double[] series = new double[36];
    for (int i = 0; i < series.length; i++) {
      series[i] = i < 26 ? 1 : 2;
    }
    assertTrue(ChangePoint.find(series).isEmpty());
  }

  @Test
  void aIncidentOfTwoHeightsAfterABaselineIsOneStretch() {
    // 13 values of next to nothing, ten of 38, thirteen of 15: the ten alone save most squares.
    Segment segment =
        ChangePoint.find(series(36, i -> i < 13 ? i % 2 / 100.0 : i < 23 ? 38 : 15)).orElseThrow();
    assertSegment(13, 36, 0, Optional.of(segment));
    // (10 x 38 + 13 x 15) / 23
    assertEquals(25, segment.meanInside(), 1e-9);
  }

  @Test
  void highValuesThatDifferAmongEachOtherAreOneStretch() {
    // 22 values up to 2.8, then 32 from 3 to 39: no gap parts them, and the highest come first.
    double[] low = {0, 0.1, 0.5, 2.8, 2.7, 0.2, 0.5, 1.2, 0.1, 0.1, 1};
    double[] high = {6, 12, 23, 22, 10, 35, 39, 16, 22, 14, 23, 10, 4, 26, 32, 11};
    double[] lower = {10, 5, 12, 4.5, 13, 4.6, 8, 3, 3.3, 9, 3.2, 10, 5, 4.9, 35, 5};
    Segment segment =
        ChangePoint.find(
                series(54, i -> i < 22 ? low[i % 11] : i < 38 ? high[i - 22] : lower[i - 38]))
            .orElseThrow();
    assertSegment(22, 54, 0, Optional.of(segment));
  }

  @Test
  void aSampleNowAndThenIsNoHighLevel() {
    // One sample a second is 0.2 threads: any of them is infinitely more than none.
    double[] rare = {0, .2, 0, 0, 0, .6, .2, 0, .2, .4, 0, 0, .2, .4, .2, 0, 0, 0, .4, .2, .2, .2};
    double[] often = {
      3.3, 2.6, 4, 4.6, 4.6, 5.5, 4.6, 3.8, 5.5, 4.1, 4.6, 4.9, 3.8, 4.4, 3.3, 5.2, 3, 4.7, 4.7,
      3.6, 5, 3, 4.4, 3.2, 5.2, 4.4, 4.6, 4.6, 3.4, 4.4, 5
    };
    Segment segment =
        ChangePoint.find(series(53, i -> i < 22 ? rare[i] : often[i - 22])).orElseThrow();
    assertSegment(22, 53, 0, Optional.of(segment));
    assertTrue(segment.isSignificant(), segment::toString);
  }

  @Test
  void valuesOfTwoKindsInAnyOrderAreNoStretch() {
    int alarms = 0;
    for (int seed = 0; seed < 200; seed++) {
      double[] noise = noise(3000 + seed, 40, 0.3);
      alarms += ChangePoint.find(series(40, i -> noise[i] > 0 ? 20 : 0.1)).isPresent() ? 1 : 0;
    }
    assertTrue(alarms <= 10, "5 % of 200, was " + alarms);
  }
}
