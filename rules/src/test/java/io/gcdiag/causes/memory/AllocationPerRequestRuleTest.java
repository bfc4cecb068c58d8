package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.AllocationChurnCause.AllocationPerRequestRule;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Bytes;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllocationPerRequestRuleTest {

  private static final double MEBI = 1 << 20;
  private static final double GIBI = 1 << 30;

  private final Rule rule = new AllocationPerRequestRule();

  @Test
  void manyMebibytesForOneRequestSpeakForChurn() {
    // Each collection frees 1,770,060 - 25,950 = 1,744,110 KiB of a heap of 4,019,584 KiB.
    // 100 a minute: 1,744,110 KiB / 0.6 s = 2,906,850 KiB/s = 2.77 GiB/s.
    // At 120/s: 2,906,850 / 120 = 24,224 KiB = 23.7 MiB a request.
    HeapChange change =
        new HeapChange(Bytes.ofKibi(2_105_763), Bytes.ofKibi(361_653), Bytes.ofKibi(4_019_584));
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .rate(120)
                .pauses(100, 60, 120, young(0, 32.301).heap(change)));
    assertEquals("allocation 2.77 GiB/s, 23.7 MiB per request", finding.statement());
    assertEquals(
        2_906_850.0 * 1024, value(finding, "allocationBytesPerSecond"), 1024 /* 1 KiB/s */);
    assertEquals(23.66 * MEBI, value(finding, "allocationBytesPerRequest"), 0.01 * MEBI);
    assertTrue(supports(finding, Hypothesis.ALLOCATION_CHURN));
    // 91.0 % of the heap is free after collections: what is stopped follows from the allocation.
    assertEquals(1, explains(finding, Hypothesis.ALLOCATION_CHURN, Effect.STOPPED), 1e-9);
  }

  @Test
  void aSteadyRateOfFewKibibytesPerRequestIsNotTheCause() {
    // 8.28 GiB in 60 s = 8,478.72 MiB / 60 s = 141.3 MiB/s; at 800/s: 180.9 KiB a request.
    // Against 140 MiB/s: 141.312 / 140 = +0.9 %.
    Finding finding =
        only(
            rule,
            incident().rate(800).allocated(0, 60, 140 * MEBI).allocated(60, 120, 8.28 * GIBI / 60));
    assertEquals(
        "allocation 141 MiB/s (+0.9 % against the baseline), 181 KiB per request",
        finding.statement());
    assertEquals(141.312 * MEBI, value(finding, "allocationBytesPerSecond"), MEBI / 1000);
    assertEquals(180.88 * 1024, value(finding, "allocationBytesPerRequest"), 0.01 * 1024);
    assertTrue(refutes(finding, Hypothesis.ALLOCATION_CHURN));
    assertFalse(supports(finding, Hypothesis.ALLOCATION_CHURN));
  }

  @Test
  void lightRequestsWeakenChurnEvenIfThereAreMoreOfThem() {
    // 100 MiB/s / 800/s = 128 KiB; twice as much as before, but each request is small.
    Finding finding =
        only(rule, incident().rate(800).allocated(0, 60, 50 * MEBI).allocated(60, 120, 100 * MEBI));
    assertEquals(
        "allocation 100 MiB/s (+100 % against the baseline), 128 KiB per request",
        finding.statement());
    assertTrue(weakens(finding, Hypothesis.ALLOCATION_CHURN));
  }

  private static IncidentBuilder given() {
    return incident().rate(1_000).allocated(0, 60, 1_490 * MEBI).allocated(60, 120, 7_050 * MEBI);
  }

  @Test
  void aRateThatIsGivenIsOfTheIncident() {
    // 1,490 MiB/s and 7,050 MiB/s: at 1,000/s the incident's requests allocate 7.05 MiB each, and
    // how many came before is not known. By a load test it is 200/s: 7.45 MiB each.
    assertEquals(
        new KeyFigure("allocation per request", Optional.empty(), "7.05 MiB"),
        only(rule, given()).figures().get(1));
    assertEquals(
        new KeyFigure("allocation per request", Optional.of("7.45 MiB"), "7.05 MiB"),
        only(rule, given().requests(200, 1_000)).figures().get(1));
  }

  @Test
  void aRateOfTheWholeTestIsNotTakenForThatOfTheWindow() {
    // 100 MiB/s / 800/s = 128 KiB.
    Finding finding =
        only(
            rule,
            incident()
                .loadTest(800, 10)
                .allocated(0, 60, 50 * MEBI)
                .allocated(60, 120, 100 * MEBI));
    assertEquals(
        "allocation 100 MiB/s (+100 % against the baseline), 128 KiB per request at the mean rate of the"
            + " whole test",
        finding.statement());
  }

  @Test
  void moreCollectionsOfAHeapWithRoomAreTheAllocationsDoing() {
    // 10 x 5 ms before, 50 x 5 ms during, 80.5 % free: 250 - 50 = 200 ms a minute are added, and
    // 50 collections at the baseline's 5 ms cost just that.
    Finding finding =
        only(
            rule,
            incident()
                .pauses(10, 0, 60, young(0, 5).heap(150, 50, 256))
                .pauses(50, 60, 120, young(0, 5).heap(150, 50, 256)));
    assertEquals(1, explains(finding, Hypothesis.ALLOCATION_CHURN, Effect.STOPPED), 1e-9);
    assertEquals(0.2, value(finding, "stoppedPerMinuteSeconds"), 1e-9);
  }

  @Test
  void twoCollectionsMakeNoRate() {
    assertSilent(rule, incident().pauses(2, 60, 120, young(0, 5).heap(150, 50, 256)));
  }
}
