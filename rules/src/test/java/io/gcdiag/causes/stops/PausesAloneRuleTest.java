package io.gcdiag.causes.stops;

import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.weakens;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.stops.SafepointStallCause.PausesAloneRule;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.Findings;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import org.junit.jupiter.api.Test;

class PausesAloneRuleTest {

  private static final PausesAloneRule RULE = new PausesAloneRule();

  /** A heap that is nearly full after each of so many long pauses in the second minute of two. */
  private static IncidentBuilder pauses(int count, double millis) {
    return incident()
        .recorded(Signal.GC_PAUSES)
        .flag("MinHeapFreeRatio", "40")
        .pauses(count, 60, 120, PauseSketch.full(0, millis).heap(250, 240, 256));
  }

  @Test
  void pausesThatProduceTheTailSpeakForTheirCause() {
    Finding finding = only(RULE, pauses(50, 400).loadTest(100, 5, 6, 400));
    // 50 x 0.4 s of 120 s: one request in six is delayed, by 0 to 400 ms alike. One in a hundred
    // is delayed by x with (1 - x / 400) / 6 = 0.01: x = 376 ms, and 5 ms of its own.
    assertEquals(381, value(finding, "producedMillis"), 4);
    assertEquals(376.0 / 395, value(finding, "explainedShare"), 0.01);
    assertEquals(1.0 / 6, value(finding, "touchedShare"), 0.01);
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
    assertEquals(
        "pauses alone produce a P99 of 385 ms, observed 400 ms: they explain 96.1 % "
            + "of the P99 above the normal 5 ms",
        finding.statement());
  }

  @Test
  void shortPausesDoNotMakeALongTail() {
    // 80 x 15.6 ms a minute: 1 % of the whole time, so that the 99th percentile just meets them.
    Finding finding = only(RULE, pauses(80, 15.6).loadTest(800, 5, 6, 1040));
    assertTrue(value(finding, "producedMillis") <= 5 + 15.6);
    assertTrue(value(finding, "explainedAtMostShare") < 0.02);
    assertTrue(weakens(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void whereRequestsQueueForConnectionsPausesAreNotAllThatPausesDo() {
    // 60 x 5 s for a connection, and pauses of 16 ms: the simulation has no pool, so that its tail
    // is what the pauses do at least, and speaks against nothing.
    Finding finding =
        only(
            RULE,
            pauses(80, 15.6)
                .loadTest(800, 5, 6, 1040)
                .waits(60, 60, 115, WaitKind.POOL, "HikariCP", 5_000));
    assertFalse(weakens(finding, Hypothesis.MEMORY_PRESSURE));
    assertFalse(finding.values().containsKey("explainedAtMostShare"));
    assertTrue(
        finding.statement().contains("the queues for threads and connections"), finding::statement);
  }

  @Test
  void aShortTailIsNothingToArgueAbout() {
    Finding finding = only(RULE, pauses(50, 80).loadTest(100, 5, 6, 90));
    assertFalse(supports(finding, Hypothesis.MEMORY_PRESSURE));
    assertFalse(weakens(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void coresForWhichTheHeldUpRequestsCompeteMakeItLonger() {
    // One core, 60 % busy at 100 requests a second: 6 ms each. 400 ms hold up 40 requests, or
    // 240 ms of work.
    Finding finding =
        only(RULE, pauses(50, 400).cpus(1).cpu(10, 0.6, 0.7).loadTest(100, 5, 6, 900));
    assertTrue(value(finding, "producedAtMostMillis") > value(finding, "producedMillis") + 100);
    assertTrue(finding.statement().contains("they explain at most"), finding.statement());
  }

  @Test
  void withoutRateOrLatencyOrPausesNothingIsSaid() {
    Findings.assertSilent(RULE, pauses(50, 400));
    Findings.assertSilent(RULE, pauses(50, 400).rate(100));
    Findings.assertSilent(RULE, incident().recorded(Signal.GC_PAUSES).loadTest(100, 5, 6, 400));
  }

  @Test
  void whereNoTailWasMeasuredTheProducedOneStandsAlone() {
    Finding finding = only(RULE, pauses(50, 400).rate(100).loadTestFrom(5, 6));
    assertEquals(381, value(finding, "producedMillis"), 4);
    assertEquals("pauses alone produce a P99 of 385 ms (5 ms without them)", finding.statement());
    assertTrue(finding.bearings().isEmpty());
  }
}
