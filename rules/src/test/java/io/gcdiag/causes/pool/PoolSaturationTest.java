package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

class PoolSaturationTest {

  /** Two threads talk to the database from 70 to 80 s, in calls of 1 s. */
  private static IncidentBuilder twoAtWork() {
    return incident()
        .waits(10, 70, 80, WaitKind.DOWNSTREAM, "db:5432", 1000)
        .waits(10, 70, 80, WaitKind.DOWNSTREAM, "db:5432", 1000);
  }

  private static double share(IncidentBuilder builder) {
    return PoolSaturation.share(builder.build());
  }

  @Test
  void waitsWhileAllConnectionsWorkAreOfASaturatedPool() {
    assertEquals(1, share(twoAtWork().waited(WaitKind.POOL, "P", 71, 2000).poolSize(2)), 1e-9);
  }

  @Test
  void withoutTheSizeTheMostCallsSeenAtOnceStandForIt() {
    assertEquals(1, share(twoAtWork().waited(WaitKind.POOL, "P", 71, 2000)), 1e-9);
  }

  @Test
  void waitsWhileConnectionsAreFreeAreNot() {
    // One of the two seconds of waiting is in the time of the calls.
    assertEquals(0.5, share(twoAtWork().waited(WaitKind.POOL, "P", 79, 2000)), 1e-9);
    // Two of ten connections at work.
    assertEquals(0, share(twoAtWork().waited(WaitKind.POOL, "P", 71, 2000).poolSize(10)));
  }

  @Test
  void aMomentThatStoodStillDoesNotShowTheSize() {
    // Twenty calls seem to be in flight while all threads stand still for a second at 90 s.
    IncidentBuilder builder = twoAtWork().pause(young(90, 1000));
    for (int i = 0; i < 20; i++) {
      builder.waited(WaitKind.DOWNSTREAM, "db:5432", 90, 1000);
    }
    assertEquals(1, share(builder.waited(WaitKind.POOL, "P", 71, 2000)), 1e-9);
  }

  @Test
  void callsCutByTheThresholdShowNoSaturation() {
    // Calls of 1 s recorded from 800 ms on: all are just above it, so many more may be missing.
    assertEquals(
        0,
        share(twoAtWork().recorded(Signal.SOCKET_READS, 800).waited(WaitKind.POOL, "P", 71, 2000)));
  }
}
