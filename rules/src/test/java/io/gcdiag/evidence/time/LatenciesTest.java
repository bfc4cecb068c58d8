package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LatenciesTest {

  private static Duration millis(long millis) {
    return Duration.ofMillis(millis);
  }

  private static Latencies.Counter counter(long... millis) {
    Latencies.Counter counter = new Latencies.Counter();
    for (long value : millis) {
      counter.add(millis(value));
    }
    return counter;
  }

  /** Of 100 requests 90 took up to 100 ms, 8 more up to 500 ms, 2 longer. */
  private static Latencies buckets() {
    return Latencies.ofBuckets(new TreeMap<>(Map.of(millis(100), 90L, millis(500), 8L)), 2);
  }

  private static String format(Latencies latencies, double percentile) {
    return latencies.percentile(percentile).orElseThrow().format();
  }

  /** Holds the value, and nothing that is more than a percent off. */
  private static void assertAbout(long millis, Optional<LatencyBound> bound) {
    Duration value = millis(millis);
    Duration least = bound.orElseThrow().atLeast();
    Duration most = bound.orElseThrow().atMost().orElseThrow();
    assertTrue(least.compareTo(value) < 0 && value.compareTo(most) <= 0, bound::toString);
    assertTrue(most.toNanos() <= least.toNanos() * 1.0101, bound::toString);
    assertTrue(bound.orElseThrow().value().isPresent());
  }

  @Test
  void aPercentileIsThatOfTheNearestRank() {
    Latencies ten = counter(100, 20, 30, 10, 50, 40, 60, 80, 70, 90).latencies();
    assertEquals(10, ten.count());
    // Rank of the percentile p among 10: p / 10, rounded up.
    assertAbout(10, ten.percentile(0.1));
    assertAbout(10, ten.percentile(10));
    assertAbout(50, ten.percentile(50));
    assertAbout(60, ten.percentile(50.1));
    assertAbout(90, ten.percentile(90));
    assertAbout(100, ten.percentile(99));
    assertAbout(100, ten.percentile(100));
  }

  @Test
  void aPercentileIsNotPushedToTheNextRequestByRounding() {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < 999; i++) {
      counter.add(millis(10));
    }
    counter.add(millis(5000));
    // 99.9 % of 1000 is 999.
    assertAbout(10, counter.latencies().percentile(99.9));
    assertAbout(5000, counter.latencies().percentile(99.91));
  }

  @Test
  void aTimersCountAndSumGiveAMeanAndNoPercentile() {
    // 90 requests in 5.4 s and 30 in 75 s: 120 in 80.4 s, 670 ms each.
    Latencies both = Latencies.ofTotal(90, 5.4).plus(Latencies.ofTotal(30, 75));
    assertEquals(120, both.count());
    assertEquals(80.4, both.totalSeconds(), 1e-6);
    assertEquals(Optional.of(millis(670)), both.mean());
    assertEquals(Optional.empty(), both.percentile(50));
    assertEquals(Optional.empty(), both.percentile(99));
    assertEquals(Optional.empty(), Latencies.ofTotal(0, 0).mean());
  }

  @Test
  void noRequestHasNoPercentile() {
    assertEquals(Optional.empty(), Latencies.none().percentile(50));
    assertEquals(0, Latencies.none().count());
  }

  @Test
  void requestsThatTookNoTimeAreCounted() {
    Latencies latencies = counter(0, 0, -5, 30).latencies();
    assertEquals("0 ms", format(latencies, 75));
    assertAbout(30, latencies.percentile(76));
  }

  @Test
  void oneNanosecondAndThirtyYearsAreCountedToo() {
    Latencies.Counter counter = new Latencies.Counter();
    counter.add(Duration.ofNanos(1));
    counter.add(Duration.ofDays(30 * 365));
    assertEquals(
        Optional.of(new LatencyBound(Duration.ZERO, Optional.of(Duration.ofNanos(1)))),
        counter.latencies().percentile(50));
    assertAbout(30L * 365 * 24 * 3600 * 1000, counter.latencies().percentile(100));
  }

  @Test
  void aPercentileOfAHistogramIsItsBucket() {
    assertEquals(100, buckets().count());
    assertEquals("0 ms to 100 ms", format(buckets(), 90));
    assertEquals("100 ms to 500 ms", format(buckets(), 91));
    assertEquals("100 ms to 500 ms", format(buckets(), 98));
  }

  @Test
  void aPercentileBeyondTheLastBucketIsOnlyKnownToBeMore() {
    LatencyBound p99 = buckets().percentile(99).orElseThrow();
    assertEquals("more than 500 ms", p99.format());
    assertEquals(Optional.empty(), p99.atMost());
    assertEquals(Optional.empty(), p99.value());
  }

  @Test
  void sumsCountBoth() {
    Latencies sum = counter(10, 10, 20).latencies().plus(counter(10, 30).latencies());
    assertEquals(5, sum.count());
    assertAbout(10, sum.percentile(60));
    assertAbout(20, sum.percentile(80));
    assertAbout(30, sum.percentile(100));
    assertEquals(200, buckets().plus(buckets()).count());
    assertEquals("more than 500 ms", format(buckets().plus(buckets()), 98.5));
    assertEquals("100 ms to 500 ms", format(buckets().plus(buckets()), 98));
    assertAbout(10, Latencies.none().plus(counter(10).latencies()).percentile(50));
    Latencies.Counter counter = counter(30);
    counter.add(counter(10, 20));
    assertAbout(20, counter.latencies().percentile(50));
  }

  @Test
  void aBucketCannotHoldLessThanNothing() {
    assertThrows(
        IllegalArgumentException.class,
        () -> Latencies.ofBuckets(new TreeMap<>(Map.of(millis(1), -1L)), 0));
  }

  /** Two of 5 to 10 ms and one of 10 to 50 ms, beyond 4 ms: 46 ms, and half of 6 ms. */
  @Test
  void theSlowestRequestsTookSoMuchLongerAtMost() {
    Latencies buckets =
        Latencies.ofBuckets(
            new TreeMap<>(
                Map.of(
                    Duration.ofMillis(5),
                    7L,
                    Duration.ofMillis(10),
                    2L,
                    Duration.ofMillis(50),
                    1L)),
            0);
    assertEquals(0.049, buckets.slowestBeyond(1.5, Duration.ofMillis(4)), 1e-9);
    assertEquals(0.046 + 2 * 0.006, buckets.slowestBeyond(3, Duration.ofMillis(4)), 1e-9);
    assertEquals(0.045 + 2 * 0.005, buckets.slowestBeyond(10, Duration.ofMillis(5)), 1e-9);
    assertEquals(Double.POSITIVE_INFINITY, Latencies.ofTotal(3, 1).slowestBeyond(1, Duration.ZERO));
  }
}
