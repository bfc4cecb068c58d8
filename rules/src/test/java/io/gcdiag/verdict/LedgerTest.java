package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.LedgerEntry;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.Effect;
import org.junit.jupiter.api.Test;

/** Two request threads are asleep for a minute, and there is no baseline. */
class LedgerTest {

  private static LedgerEntry asleep(String at) {
    Case incident = Scene.of(60).waiting(WaitKind.SLEEP, at, 0, 60, 2).incident();
    return Ledger.of(incident, incident.effects()).stream()
        .filter(entry -> entry.effect() == Effect.SLEEP)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aQueueInALimiterIsLostTimeWithoutACalm() {
    LedgerEntry entry = asleep("Bucket4j");
    assertEquals(120, entry.excessThreadSeconds(), 1e-9);
    assertEquals(
        "sleeps of request threads; counted as lost: waits in a limiter; in sum 120 s / 60 s = 2",
        entry.note());
  }

  @Test
  void otherSleepingMayBeUsual() {
    LedgerEntry entry = asleep("com.example.Service.call");
    assertEquals(0, entry.excessThreadSeconds(), 1e-9);
    assertEquals(
        "sleeps of request threads; not counted as lost: there is no baseline", entry.note());
  }
}
