package io.gcdiag.loadtests;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.loadtests.Correlator.CorrelationRequest;
import io.gcdiag.loadtests.Tail.IntervalChoice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GridTest {

  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");
  private static final Grid THREE_OF_TEN_SECONDS = new Grid(START, Duration.ofSeconds(10), 3);
  private static final double NONE = Double.NaN;

  private static List<Point> points(double... secondsAndValues) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < secondsAndValues.length; i += 2) {
      points.add(
          new Point(
              START.plusMillis(Math.round(1000 * secondsAndValues[i])), secondsAndValues[i + 1]));
    }
    return points;
  }

  @Test
  void aReadingTellsOfTheTimeBeforeIt() {
    // Every 10 s, a little early or late: 0 to 10, 10 to 20 and 20 to 30.
    double[] means = THREE_OF_TEN_SECONDS.means(points(10.2, 1, 19.9, 2, 30.1, 3));
    assertArrayEquals(new double[] {1, 2, 3}, means);
  }

  @Test
  void severalReadingsGiveTheirMeanAndNoneGivesNothing() {
    double[] means = THREE_OF_TEN_SECONDS.means(points(2, 1, 4, 2, 6, 6, 8, 7, 22, 5));
    assertArrayEquals(new double[] {4, NONE, 5}, means);
  }

  @Test
  void aCounterGivesItsGrowthPerSecond() {
    // 30 in 15 s are 2/s; the second interval has 5 s of it and 5 s of standing still.
    double[] rates = THREE_OF_TEN_SECONDS.rates(points(0, 100, 15, 130, 30, 130));
    assertArrayEquals(new double[] {2, 1, 0}, rates, 1e-9);
  }

  @Test
  void aCounterThatBeganAnewTellsNothingOfThatTime() {
    double[] rates = THREE_OF_TEN_SECONDS.rates(points(0, 100, 10, 130, 20, 7, 30, 17));
    assertArrayEquals(new double[] {3, NONE, 1}, rates, 1e-9);
  }

  @Test
  void whereReadingsAreMissingNothingIsKnown() {
    // Usually every 2 s; the gap of 25 s is longer than two intervals.
    double[] rates = THREE_OF_TEN_SECONDS.rates(points(-6, 0, -4, 2, -2, 4, 0, 6, 2, 8, 27, 100));
    assertArrayEquals(new double[] {NONE, NONE, NONE}, rates, 1e-9);
  }

  private static IntervalChoice choice(
      int seconds, int tailStep, int scrapeStep, double rate, double percentile) {
    return IntervalChoice.of(
        new IntervalChoice.Facts(
            Duration.ofSeconds(seconds),
            Duration.ofSeconds(tailStep),
            Duration.ofSeconds(scrapeStep),
            rate),
        new CorrelationRequest(new Percentile(percentile), Optional.empty()));
  }

  @Test
  void tenSecondsAreUsual() {
    assertEquals(Duration.ofSeconds(10), choice(600, 1, 5, 100, 95).length());
  }

  @Test
  void aShortTestHasTwentyShorterIntervals() {
    assertEquals(Duration.ofSeconds(5), choice(100, 1, 0, 100, 95).length());
    assertEquals(Duration.ofSeconds(2), choice(12, 1, 0, 100, 95).length());
  }

  @Test
  void noIntervalIsShorterThanTheScrapesOrHoldsPartsOfThem() {
    assertEquals(Duration.ofSeconds(15), choice(600, 1, 15, 100, 95).length());
    assertEquals(Duration.ofSeconds(12), choice(600, 3, 0, 100, 95).length());
  }

  @Test
  void highPercentilesNeedManyRequests() {
    // Five beyond P99 are 500 requests: at 20/s 25 s.
    IntervalChoice choice = choice(600, 1, 5, 20, 99);
    assertEquals(Duration.ofSeconds(25), choice.length());
    assertEquals("long enough for 500 requests, as P99 needs", choice.reason());
  }

  @Test
  void whatIsAskedForIsDone() {
    IntervalChoice choice =
        IntervalChoice.of(
            new IntervalChoice.Facts(
                Duration.ofSeconds(600), Duration.ofSeconds(2), Duration.ofSeconds(15), 1),
            new CorrelationRequest(new Percentile(95), Optional.of(Duration.ofSeconds(3))));
    assertEquals(Duration.ofSeconds(4), choice.length());
    assertEquals("as given, in whole intervals of the files", choice.reason());
  }
}
