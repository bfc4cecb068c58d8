package io.gcdiag.evidence.time;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class SeriesTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");

  @Test
  void amountsOfOneSecondAddUp() {
    Series.Builder builder = new Series.Builder();
    builder.add(START, 3);
    builder.add(START.plusMillis(999), 4);
    builder.add(START.plusSeconds(1), 10);
    Series series = builder.build();
    assertEquals(7, series.sum(new Window(START, START.plusSeconds(1))));
    // 17 over 10 s: seconds without a value are zero.
    assertEquals(OptionalDouble.of(1.7), series.mean(new Window(START, START.plusSeconds(10))));
  }

  @Test
  void nothingRecordedHasNoMean() {
    assertEquals(
        OptionalDouble.empty(), Series.empty().mean(new Window(START, START.plusSeconds(10))));
  }

  @Test
  void aWindowWithinOneSecondHasNoMean() {
    Series.Builder builder = new Series.Builder();
    builder.add(START, 3);
    assertEquals(
        OptionalDouble.empty(), builder.build().mean(new Window(START, START.plusMillis(500))));
  }

  @Test
  void aMonthWithoutAnAmountIsItsFirstSecondAndItsLast() {
    Instant later = START.plus(Duration.ofDays(30));
    Series.Builder builder = new Series.Builder();
    builder.add(START, 3);
    builder.add(later, 4);
    assertEquals(
        Map.of(START, 3.0, START.plusSeconds(1), 0.0, later.minusSeconds(1), 0.0, later, 4.0),
        builder.build().within(new Window(START, later.plusSeconds(1))));
  }

  @Test
  void aMinuteWithoutAnAmountIsDrawnSecondBySecond() {
    Series.Builder builder = new Series.Builder();
    builder.add(START, 3);
    builder.add(START.plusSeconds(60), 4);
    assertEquals(61, builder.build().within(new Window(START, START.plusSeconds(61))).size());
  }
}
