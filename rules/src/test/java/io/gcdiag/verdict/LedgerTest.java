package io.gcdiag.verdict;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.LedgerEntry;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.time.Duration;
import java.util.Collections;
import org.junit.jupiter.api.Test;

/** Two request threads are asleep for a minute, and there is no baseline. */
class LedgerTest {

  private static LedgerEntry asleep(String at) {
    MeasuredIncident incident = Scene.of(60).waiting(WaitKind.SLEEP, at, 0, 60, 2).incident();
    return Ledger.of(incident, incident.effects()).stream()
        .filter(entry -> entry.effect() == Effect.SLEEP)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void aQueueInALimiterIsLostTimeWithoutABaseline() {
    LedgerEntry entry = asleep("Bucket4j");
    assertEquals(120, entry.excessThreadSeconds(), 1e-9);
    assertEquals(
        "sleeps of request threads; counted as lost: waits in a limiter; in sum 120 s / 60 s = 2",
        entry.note());
  }

  /**
   * Six pauses of 200 ms in a minute of 100 requests a second: 1.2 s x 100/s = 120 arrive in one, 6
   * x 100/s x 10 ms = 6 are in service when one begins.
   */
  @Test
  void thePausesSumHasTheRequestsThatTheyDelay() {
    MeasuredIncident incident =
        Scene.of(60).load(100, 14, 10, 150).pauses(0, 60, 10, 200).incident();
    LedgerEntry entry =
        Ledger.of(incident, incident.effects()).stream()
            .filter(one -> one.effect() == Effect.STOPPED)
            .findFirst()
            .orElseThrow();
    assertTrue(
        entry.sum().startsWith("126 requests (2.1 % of the whole test's 100/s x 60 s) x "),
        entry::sum);
    assertTrue(
        entry.note().contains(": 6 pauses of 1.2 s in all; " + entry.sum() + " = "), entry::note);
  }

  @Test
  void otherSleepingMayBeUsual() {
    LedgerEntry entry = asleep("com.example.Service.call");
    assertEquals(0, entry.excessThreadSeconds(), 1e-9);
    assertEquals(
        "sleeps of request threads; not counted as lost: there is no baseline", entry.note());
  }

  /** The same pauses, and requests of which a file says when each began: 100 a second. */
  @Test
  void requestsOverTimeHaveARateAsWell() {
    Latencies quick = Latencies.ofTotal(100, 1);
    MeasuredIncident incident =
        Scene.of(60)
            .latencies(Collections.nCopies(60, quick).toArray(Latencies[]::new))
            .pauses(0, 60, 10, 200)
            .incident();
    String note =
        Ledger.of(incident, incident.effects()).stream()
            .filter(one -> one.effect() == Effect.STOPPED)
            .findFirst()
            .orElseThrow()
            .note();
    assertTrue(note.contains(" times the requests that each delayed"), note);
  }

  /**
   * The same pauses, and 2 in 100 requests take 60 ms in place of 10 ms. So the slowest 126, as
   * many as the pauses delay, took 120 x 50 ms = 6 s longer: the pauses cost no more. By their
   * lengths alone they cost 1.2 s x (1 + 20 / 2) = 13 s.
   */
  @Test
  void thePausesCostNoMoreThanTheSlowestRequestsLost() {
    Latencies.Counter each = new Latencies.Counter();
    for (int i = 0; i < 100; i++) {
      each.add(Duration.ofMillis(i < 98 ? 10 : 60));
    }
    MeasuredIncident incident =
        Scene.of(60)
            .load(100, 20, 10, 60)
            .latencies(Collections.nCopies(60, each.latencies()).toArray(Latencies[]::new))
            .pauses(0, 60, 10, 200)
            .incident();
    assertEquals(6, 60 * incident.effects().during(Effect.STOPPED), 0.2);
  }

  /**
   * Of requests by their percentiles alone, none loses more than the longest pause: 126 x 200 ms =
   * 25.2 s, where the cores are full and the queue takes long to drain.
   */
  @Test
  void noRequestLosesMoreThanTheLongestPause() {
    MeasuredIncident incident =
        Scene.of(60)
            .load(100, 400, 10, 900)
            .cpu(0, 60, 0.95, 0.95)
            .pauses(0, 60, 10, 200)
            .incident();
    assertEquals(25.2, 60 * incident.effects().during(Effect.STOPPED), 0.1);
  }
}
