package io.gcdiag.evidence.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitingThreadsTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");
  private static final Duration YEAR = Duration.ofDays(365);
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration HALF = Duration.ofMillis(50);
  private static final Window TWO_YEARS = new Window(START, START.plus(YEAR.multipliedBy(2)));
  private static final double TINY = 1e-9;

  /** A wait. */
  private record Wait(Duration at, Duration length) {}

  private static WaitSeries site(Wait... waits) {
    WaitSeries.Builder builder =
        new WaitSeries.Builder(
            new WaitSite(WaitKind.POOL, "HikariCP", true, "Shop.order"),
            new Source("recording.jfr", "jdk.ThreadPark"));
    for (Wait wait : waits) {
      builder.add(START.plus(wait.at()), wait.length());
    }
    return builder.build();
  }

  private static List<String> steps(WaitingThreads threads, Window window) {
    List<String> steps = new ArrayList<>();
    threads.forEach(window, (step, waiting) -> steps.add(step + ": " + waiting));
    return steps;
  }

  @Test
  void sitesAddUp() {
    // From 0 to 150 ms at one, from 100 to 200 ms at the other.
    WaitingThreads threads =
        WaitingThreads.at(
            List.of(
                site(new Wait(Duration.ZERO, HALF.multipliedBy(3))),
                site(new Wait(HALF.multipliedBy(2), HALF.multipliedBy(2)))));
    assertEquals(List.of("0: 1.0", "1: 1.5"), steps(threads, TWO_YEARS));
    assertEquals(1.5, threads.peak(TWO_YEARS), TINY);
    assertEquals(0.25, threads.seconds(TWO_YEARS), TINY);
  }

  @Test
  void aYearInWhichNobodyWaitsIsOneStep() {
    WaitingThreads threads =
        WaitingThreads.at(List.of(site(new Wait(Duration.ZERO, HALF), new Wait(YEAR, HALF))));
    // 365 days of 864,000 tenths of a second.
    assertEquals(List.of("0: 0.5", "315360000: 0.5"), steps(threads, TWO_YEARS));
    // Both, with the buckets before and after them.
    assertEquals(6, threads.changes().size());
  }

  @Test
  void aWindowBeginsWithItsFirstStepAndEndsBeforeTheNext() {
    WaitingThreads threads =
        WaitingThreads.at(List.of(site(new Wait(Duration.ZERO, Duration.ofSeconds(1)))));
    Window window = new Window(START.plusMillis(230), START.plusMillis(480));
    // At 230, 330 and 430 ms.
    assertEquals(3, WaitingThreads.steps(window));
    assertEquals(List.of("0: 1.0", "1: 1.0", "2: 1.0"), steps(threads, window));
  }

  @Test
  void twentyHoursOfWaitingAreKeptAsTheirEnds() {
    WaitingThreads threads =
        WaitingThreads.at(List.of(site(new Wait(HALF, HOUR.multipliedBy(20)))));
    assertEquals(0.5, threads.at(START), TINY);
    assertEquals(1, threads.at(START.plus(HOUR.multipliedBy(10))), TINY);
    assertEquals(0.5, threads.at(START.plus(HOUR.multipliedBy(20))), TINY);
    assertEquals(0, threads.at(START.plus(HOUR.multipliedBy(20)).plusMillis(100)), TINY);
    assertEquals(72_000, threads.seconds(TWO_YEARS), TINY);
    Instant later = START.plus(HOUR.multipliedBy(3));
    assertEquals(3_600, threads.seconds(new Window(later, later.plus(HOUR))), TINY);
    // The two buckets around either border, in which its part changes, and one more on either side.
    assertEquals(8, threads.changes().size());
  }

  @Test
  void longWaitsAndShortOnesTogetherHaveOnePeak() {
    WaitingThreads threads =
        WaitingThreads.at(
            List.of(
                site(new Wait(Duration.ZERO, HOUR), new Wait(HOUR.dividedBy(2), HOUR)),
                site(new Wait(HOUR.dividedBy(2), HALF))));
    // Half an hour in, both long ones and half a bucket of the short one.
    assertEquals(2.5, threads.peak(TWO_YEARS), TINY);
    // The second of them alone is left after an hour.
    assertEquals(1, threads.at(START.plus(HOUR)), TINY);
    // From 0 to 1 h 30 min, tenth by tenth.
    assertEquals(54_000, steps(threads, TWO_YEARS).size());
  }
}
