package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitSeriesTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final double TINY = 1e-9;

  private final WaitSeries.Builder builder =
      new WaitSeries.Builder(
          new WaitSite(WaitKind.POOL, "HikariCP", true, "Shop.order"),
          new Source("recording.jfr", "jdk.ThreadPark"));

  private static Instant at(long millis) {
    return START.plusMillis(millis);
  }

  private static Window window(long fromMillis, long toMillis) {
    return new Window(at(fromMillis), at(toMillis));
  }

  private void add(long fromMillis, long millis) {
    builder.add(at(fromMillis), Duration.ofMillis(millis));
  }

  @Test
  void aWaitAcrossBucketsIsSpreadOverThem() {
    // From 50 to 300 ms: 50 ms in the first bucket, 100 ms in the second and the third each.
    add(50, 250);
    WaitSeries series = builder.build();
    assertEquals(0.5, WaitingThreads.at(List.of(series)).at(at(0)), TINY);
    assertEquals(1, WaitingThreads.at(List.of(series)).at(at(150)), TINY);
    assertEquals(1, WaitingThreads.at(List.of(series)).at(at(299)), TINY);
    assertEquals(0, WaitingThreads.at(List.of(series)).at(at(300)), TINY);
  }

  @Test
  void aWaitCountsWholeWhereItBeginsAndByPartsWhereItLasts() {
    add(950, 300);
    WaitSeries series = builder.build();
    WaitSeries.Totals first = series.within(window(0, 1000));
    assertEquals(1, first.count());
    assertEquals(Duration.ofMillis(300), first.total());
    assertEquals(Duration.ofMillis(300), first.longest());
    assertEquals(0.05, first.waitedSeconds(), TINY);
    WaitSeries.Totals second = series.within(window(1000, 2000));
    assertEquals(0, second.count());
    assertEquals(Duration.ZERO, second.total());
    assertEquals(0.25, second.waitedSeconds(), TINY);
  }

  @Test
  void threadsThatWaitTogetherAddUp() {
    // Ten in the bucket at 500 ms, one in that at 700 ms.
    for (int i = 0; i < 10; i++) {
      add(500, 100);
    }
    add(700, 100);
    WaitSeries series = builder.build();
    assertEquals(10, series.peakWaiting(window(0, 1000)), TINY);
    assertEquals(1, series.peakWaiting(window(600, 1000)), TINY);
    // 11 x 100 ms.
    assertEquals(Duration.ofMillis(1100), series.within(window(0, 1000)).total());
  }

  @Test
  void aWaitOfNoLengthIsCountedAndTakesNoTime() {
    add(500, 0);
    WaitSeries.Totals totals = builder.build().within(window(0, 1000));
    assertEquals(new WaitSeries.Totals(1, Duration.ZERO, Duration.ZERO, 0), totals);
  }

  @Test
  void withoutWaitsThePeakIsNone() {
    WaitSeries series = builder.build();
    assertEquals(0, series.peakWaiting(window(0, 1000)));
  }

  @Test
  void timesBeforeTheEpochFallIntoTheirOwnBuckets() {
    builder.add(Instant.EPOCH.minusMillis(50), Duration.ofMillis(100));
    WaitSeries series = builder.build();
    assertEquals(0.5, WaitingThreads.at(List.of(series)).at(Instant.EPOCH.minusMillis(1)), TINY);
    assertEquals(0.5, WaitingThreads.at(List.of(series)).at(Instant.EPOCH), TINY);
  }

  @Test
  void whatIsBuiltDoesNotChangeAfterwards() {
    WaitSeries series = builder.build();
    add(500, 100);
    assertEquals(0, series.within(window(0, 1000)).count());
  }
}
