package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

/** Where a recording does not show all calls, dumps show whether a pool was at work. */
class PoolSeenInDumpsTest {

  /** Calls of 21 ms in a recording that shows those from 20 ms on: most of them are hidden. */
  private static IncidentBuilder hidden() {
    return incident()
        .recorded(Signal.SOCKET_READS, 20)
        .waits(100, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 21)
        .waits(300, 60, 120, WaitKind.POOL, "HikariCP", 500);
  }

  @Test
  void aQueueBeforeConnectionsThatAreAllAtWorkInEveryDumpIsTheSize() {
    assertEquals(
        1, PoolSaturation.share(hidden().dump(70, 60, 4, 0, 0).dump(100, 96, 4, 0, 0).build()));
  }

  @Test
  void aConnectionBetweenTwoCallsNowAndThenIsAtWork() {
    // 2, 2 and 3 of 3 are 78 % of nine looks, where 80 % may come out as low as 67 % by chance
    // (a standard error of 13 points). 1, 1 and 3 are 56 %.
    assertEquals(
        1,
        PoolSaturation.share(
            hidden().dump(70, 60, 2, 0, 0).dump(80, 60, 2, 0, 0).dump(90, 60, 3, 0, 0).build()));
    assertEquals(
        0,
        PoolSaturation.share(
            hidden().dump(70, 60, 1, 0, 0).dump(80, 60, 1, 0, 0).dump(90, 60, 3, 0, 0).build()));
  }

  @Test
  void oneDumpMayBeChance() {
    assertEquals(0, PoolSaturation.share(hidden().dump(70, 60, 4, 0, 0).build()));
  }

  @Test
  void connectionsThatAreNotAtWorkAreKeptBySomebody() {
    assertEquals(
        0,
        PoolSaturation.share(
            hidden().poolSize(10).dump(70, 60, 4, 0, 0).dump(100, 96, 4, 0, 0).build()));
  }

  @Test
  void rightAfterPausesEveryPoolIsAtWork() {
    // 30 pauses of 100 ms in 60 s: stopped for 5 % of the time.
    assertEquals(
        0,
        PoolSaturation.share(
            hidden()
                .pauses(30, 60, 120, young(0, 100))
                .dump(70, 60, 4, 0, 0)
                .dump(100, 96, 4, 0, 0)
                .build()));
  }
}
