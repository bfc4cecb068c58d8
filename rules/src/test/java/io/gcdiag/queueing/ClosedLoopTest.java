package io.gcdiag.queueing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ClosedLoopTest {

  private static final Duration TWO_SECONDS = Duration.ofSeconds(2);
  private static final int CALLS = 20_000;

  private static double p99(int callers, Duration think, int servers, HoldTime hold) {
    return ClosedLoop.waits(callers, think, servers, hold, CALLS, 1).quantile(0.99).toNanos() / 1e9;
  }

  @Test
  void theHalfThatHasNoConnectionWaitsForAWholeHold() {
    HoldTime hold = new HoldTime.Fixed(TWO_SECONDS);
    Times waits = ClosedLoop.waits(4, Duration.ZERO, 2, hold, CALLS, 1);
    // The first two found a connection; what comes before the loop has settled does not count.
    assertEquals(TWO_SECONDS, waits.quantile(0));
    assertEquals(TWO_SECONDS, waits.quantile(0.99));
  }

  @Test
  void nobodyWaitsWhereEveryCallerHasAServer() {
    assertEquals(0, p99(4, Duration.ZERO, 4, new HoldTime.Exponential(TWO_SECONDS)), 1e-9);
  }

  @Test
  void whoeverThinksLongMeetsNobody() {
    assertEquals(0, p99(2, Duration.ofSeconds(2), 1, new HoldTime.Fixed(TWO_SECONDS)), 1e-9);
  }

  @Test
  void oneOfTwoCallersWaitsForAllOfTheOthersHold() {
    // Its wait is exponential as the hold is: the 99th percentile is ln(100) x 2 s = 9.21 s.
    assertEquals(9.21, p99(2, Duration.ZERO, 1, new HoldTime.Exponential(TWO_SECONDS)), 0.5);
  }

  @Test
  void thinkTimeIsWhatTheAnswersLeaveOfARound() {
    // 4 callers and 1 call a second: 4 s from call to call, 3.5 of which are the answer's.
    assertEquals(Duration.ofMillis(500), ClosedLoop.think(4, 1, Duration.ofMillis(3_500)));
    assertEquals(Duration.ofMillis(500), ClosedLoop.think(4, 2, Duration.ofMillis(1_500)));
    assertEquals(Duration.ZERO, ClosedLoop.think(4, 1, Duration.ofSeconds(5)));
  }
}
