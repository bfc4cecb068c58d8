package io.gcdiag.causes.pool;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.pool.PoolWaitRule.CappedCalls;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import org.junit.jupiter.api.Test;

/** Requests on virtual threads take 40 ms and then a second, in no wait that an event shows. */
class CappedCallsTest {

  private final Rule rule = new CappedCalls("pool-wait");

  /**
   * Calls of 40 ms in the baseline, 50 a second and so 2 at a time; in the incident so many lanes
   * of calls, one after the other, each as long as that.
   */
  private static IncidentBuilder lanes(int lanes, double millis, boolean virtual) {
    return lanes(incident().requests(50, 40, 1_000), lanes, millis, virtual);
  }

  private static IncidentBuilder lanes(
      IncidentBuilder incident, int lanes, double millis, boolean virtual) {
    IncidentBuilder calls =
        incident
            .recorded(Signal.SOCKET_READS, 1)
            .waits(3_000, 0, 59, WaitKind.DOWNSTREAM, "partner:80", 40);
    for (int lane = 0; lane < lanes; lane++) {
      int each = (int) (60_000 / millis);
      calls.waits(each, 60, 60 + each * millis / 1e3, WaitKind.DOWNSTREAM, "partner:80", millis);
    }
    return virtual ? calls.sample(new VirtualThreadUse(at(0), 1)) : calls;
  }

  @Test
  void callsOfWhichThereIsNeverOneMoreShowAFullPool() {
    Finding finding = only(rule, lanes(5, 40, true));
    assertEquals(1, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED));
    assertEquals(
        "5 of at most 5 calls to partner:80 are in progress all the time, each as long as in the"
            + " baseline (40 ms, before: 40 ms): a pool or limit of 5 is full, and virtual threads"
            + " that wait for it are in no event",
        finding.statement());
  }

  @Test
  void whereNothingSaysHowLongRequestsTakeTheCapIsALead() {
    Finding finding = only(rule, lanes(incident(), 5, 40, true));
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED));
    assertTrue(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
    // The permits of a semaphore look the same.
    assertTrue(supports(finding, Hypothesis.LOCK_CONTENTION));
    assertEquals(1, finding.inseparable().size());
  }

  @Test
  void callsOneByOneThatWereSeveralAtATimeAreMadeUnderALock() {
    // 50 a second of 40 ms are 2 at a time, then 25 a second one at a time.
    Finding finding = only(rule, lanes(1, 40, true));
    assertEquals(1, explains(finding, Hypothesis.LOCK_CONTENTION, Effect.UNACCOUNTED));
    assertEquals(0, explains(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED, Effect.UNACCOUNTED));
    // One after the other as before: it may be all that there is to do.
    assertSilent(
        rule,
        incident()
            .recorded(Signal.SOCKET_READS, 1)
            .requests(50, 40, 1_000)
            .waits(3_000, 0, 120, WaitKind.DOWNSTREAM, "partner:80", 40)
            .sample(new VirtualThreadUse(at(0), 1)));
  }

  @Test
  void longerCallsAreThePartners() {
    assertSilent(rule, lanes(5, 400, true));
  }

  @Test
  void callsThatWereAsManyBeforeShowNothing() {
    assertSilent(rule, lanes(2, 40, true));
  }

  @Test
  void whatPlatformThreadsWaitForIsInEvents() {
    assertSilent(rule, lanes(5, 40, false));
  }
}
