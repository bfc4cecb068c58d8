package io.gcdiag.figures;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.figures.CrossChecks.ClockSkew;
import io.gcdiag.verdict.Scene;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Ten minutes in which borrowers wait now and then, without a rhythm, and a load test whose
 * requests are slow at those times by its own clock.
 */
class ClockSkewTest {

  private static final int SECONDS = 600;

  /** When borrowers wait: from one second to another. */
  private static final int[][] WAITS = {{150, 158}, {201, 205}, {290, 310}, {333, 335}, {410, 421}};

  private static final Latencies USUAL = latencies(Duration.ofMillis(20));
  private static final Latencies SLOW = latencies(Duration.ofSeconds(1));

  /** A request of one second that begins in the middle of a step is for half of it in the next. */
  private static final double ONE_STEP = 1;

  private static Latencies latencies(Duration each) {
    Latencies.Counter counter = new Latencies.Counter();
    for (int i = 0; i < 20; i++) {
      counter.add(each);
    }
    return counter.latencies();
  }

  /** The load test's clock is ahead by so many seconds. */
  private static Optional<CrossCheck> ahead(int seconds) {
    Scene scene = Scene.of(SECONDS);
    Latencies[] perSecond = new Latencies[SECONDS];
    Arrays.fill(perSecond, USUAL);
    for (int[] wait : WAITS) {
      scene.waiting(WaitKind.POOL, "pool " + wait[0], wait[0], wait[1], 20);
      for (int second = wait[0]; second < wait[1]; second++) {
        perSecond[second + seconds] = SLOW;
      }
    }
    return ClockSkew.of(scene.latencies(perSecond).timeline());
  }

  @Test
  void clocksThatAgreeAreNotWorthAWord() {
    assertEquals(Optional.empty(), ahead(0));
    assertEquals(Optional.empty(), ahead(2));
  }

  @Test
  void aClockTwoMinutesAheadIsNoticed() {
    CrossCheck check = ahead(120).orElseThrow();
    assertEquals(Agreement.NO, check.agreement());
    assertEquals(-120, check.a().value(), ONE_STEP);
  }

  @Test
  void aClockTwoMinutesBehindIsNoticed() {
    assertEquals(120, ahead(-120).orElseThrow().a().value(), ONE_STEP);
  }

  @Test
  void oneStepFitsAnywhere() {
    Scene scene = Scene.of(SECONDS).waiting(WaitKind.POOL, "HikariCP", 300, SECONDS, 20);
    Latencies[] perSecond = new Latencies[SECONDS];
    Arrays.fill(perSecond, 0, 420, USUAL);
    Arrays.fill(perSecond, 420, SECONDS, SLOW);
    assertEquals(Optional.empty(), ClockSkew.of(scene.latencies(perSecond).timeline()));
  }
}
