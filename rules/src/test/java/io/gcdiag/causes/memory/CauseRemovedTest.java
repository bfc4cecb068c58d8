package io.gcdiag.causes.memory;

import static io.gcdiag.books.PredictionSketch.MILLI;
import static io.gcdiag.books.PredictionSketch.assertRange;
import static io.gcdiag.books.PredictionSketch.assertStated;
import static io.gcdiag.books.PredictionSketch.only;
import static io.gcdiag.books.PredictionSketch.predictor;
import static io.gcdiag.books.PredictionSketch.steadyHeap;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CauseRemovedTest {

  private static IncidentBuilder manyCollections() {
    return incident()
        .recorded(Signal.GC_PAUSES)
        .pauses(1, 0, 60, PauseSketch.young(0, 10))
        .pauses(100, 60, 120, PauseSketch.young(0, 10));
  }

  @Test
  void aCauseThatCollectsLeavesThoseOfTheBaseline() {
    // After one in a minute none to six, likeliest one and a half.
    assertStated(
        0,
        1.5,
        6,
        only(
            predictor(manyCollections()).suspect(Hypothesis.EXPLICIT_GC, OptionalDouble.empty()),
            Quantity.COLLECTIONS));
    assertTrue(
        only(
                predictor(manyCollections().withoutBaseline())
                    .suspect(Hypothesis.EXPLICIT_GC, OptionalDouble.empty()),
                Quantity.COLLECTIONS)
            .range()
            .isEmpty());
  }

  @Test
  void whereCollectionsAreAskedForOthersComeAsTheYoungGenerationFills() {
    // 50 MiB a second into a third of 150 MiB, of which a half to all is room: every 0.5 to 1 s,
    // 10 % more or less.
    assertStated(
        54,
        Math.sqrt(54 * 132),
        132,
        only(
            predictor(steadyHeap().withoutBaseline())
                .suspect(Hypothesis.EXPLICIT_GC, OptionalDouble.empty()),
            Quantity.COLLECTIONS));
  }

  @Test
  void latencyWithoutTheCauseIsThatOfTheBaseline() {
    Prediction latency =
        only(
            predictor(incident().requests(100, 8, 900))
                .suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.empty()),
            Quantity.LATENCY_P99);
    // All take 8 ms, in another run with the cause gone 0.75 x 0.95 to 1.67 x 1.05 times as long.
    assertRange(0.7125 * 8 * MILLI, 1.75 * 8 * MILLI, latency);
    assertEquals(900 * MILLI, latency.now().orElseThrow(), 10 * MILLI);
  }

  /** Of two cores 0.1 and then 0.3 are used, and 1 MB and then so many are allocated a second. */
  private static Prediction otherRequests(Hypothesis cause, double megabytes, double slowMillis) {
    IncidentBuilder incident =
        incident()
            .requests(100, 8, slowMillis)
            .cpus(2)
            .allocated(0, 60, 1e6)
            .allocated(60, 120, megabytes * 1e6);
    for (int second = 0; second < 120; second++) {
      incident.cpu(second, second < 60 ? 0.05 : 0.15, 0.2);
    }
    return only(predictor(incident).suspect(cause, OptionalDouble.empty()), Quantity.LATENCY_P99);
  }

  @Test
  void requestsThatComputeAndAllocateMoreKeepThatWithoutACauseThatDoesNeither() {
    // Three times the CPU time each, at most three times the latency.
    assertRange(
        0.7125 * 8 * MILLI,
        3 * 1.75 * 8 * MILLI,
        otherRequests(Hypothesis.LOCK_CONTENTION, 2, 900));
    assertRange(
        0.7125 * 8 * MILLI, 1.75 * 8 * MILLI, otherRequests(Hypothesis.LOCK_CONTENTION, 1, 900));
    assertRange(
        0.7125 * 8 * MILLI, 1.75 * 8 * MILLI, otherRequests(Hypothesis.CPU_SATURATION, 2, 900));
    // 3 x 1.75 x 8 ms = 42 ms would be no improvement of 30 ms.
    assertEquals(
        "the requests themselves changed: each uses 3 times the CPU time of the baseline's",
        otherRequests(Hypothesis.LOCK_CONTENTION, 2, 30).basis());
  }

  @Test
  void callsThatTheBaselineHasNoneOfMayRemainWithoutTheCause() {
    IncidentBuilder calling =
        incident()
            .recorded(Signal.SOCKET_READS, 5)
            .requests(100, 8, 900)
            .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "price:80", 40);
    // 100 a second of 40 ms in 100 requests a second.
    assertRange(
        0.7125 * 8 * MILLI,
        (1.75 * 8 + 40) * MILLI,
        only(
            predictor(calling).suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.empty()),
            Quantity.LATENCY_P99));
  }

  @Test
  void whatStaysWithoutASmallCauseIsNotPromised() {
    IncidentBuilder delayed = incident().requests(100, 8, 900);
    Prediction third =
        only(
            predictor(delayed).suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.of(0.3)),
            Quantity.LATENCY_P99);
    assertTrue(third.range().isEmpty(), third::toString);
    assertTrue(third.basis().equals("it explains only 30.0 % of the lost time"), third.basis());
    Prediction most =
        only(
            predictor(delayed).suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.of(0.9)),
            Quantity.LATENCY_P99);
    assertRange(0.7125 * 8 * MILLI, 1.75 * 8 * MILLI, most);
  }

  @Test
  void aSummaryOfTheWholeTestDoesNotTellTheBaseline() {
    Prediction latency =
        only(
            predictor(incident().loadTest(100, 5, 6, 400))
                .suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.empty()),
            Quantity.LATENCY_P99);
    assertTrue(latency.range().isEmpty());
    assertTrue(
        latency.basis().startsWith("the load test has no latencies over time"), latency.basis());
  }

  @Test
  void aBaselineOfFewRequestsTellsHowManyAreMissing() {
    // One a second in a minute; with the figures of the whole test, and without.
    for (IncidentBuilder few :
        List.of(
            incident().requests(1, 8, 900),
            incident().requests(1, 8, 900).loadTest(1, 5, 6, 400))) {
      Prediction latency =
          only(
              predictor(few).suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.empty()),
              Quantity.LATENCY_P99);
      assertTrue(latency.range().isEmpty());
      assertEquals("the baseline has only 60 requests, and a P99 needs 100", latency.basis());
    }
    Prediction without =
        only(
            predictor(incident().requests(1, 8, 900).loadTest(1, 5, 6, 400).withoutBaseline())
                .suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.empty()),
            Quantity.LATENCY_P99);
    assertEquals("no baseline shows the normal latency", without.basis());
  }

  @Test
  void theFastestRequestsOfAServiceThatAllocatesTooMuchAllocateTooMuchAsWell() {
    Prediction latency =
        only(
            predictor(steadyHeap().loadTest(100, 90, 140, 400))
                .suspect(Hypothesis.ALLOCATION_CHURN, OptionalDouble.empty()),
            Quantity.LATENCY_P99);
    assertTrue(latency.range().isEmpty());
  }

  @Test
  void savedAllocationIsInProportion() {
    List<Prediction> predictions =
        predictor(steadyHeap()).suspect(Hypothesis.ALLOCATION_CHURN, OptionalDouble.empty());
    assertRange(24, 36, only(predictions, Quantity.COLLECTIONS));
    assertRange(0.004, 0.006, only(predictions, Quantity.STOPPED));
  }

  @Test
  void afterNoCollectionInAMinuteOneMayComeInTheNext() {
    IncidentBuilder quiet = incident().requests(100, 8, 900).recorded(Signal.GC_PAUSES);
    List<Prediction> predictions =
        predictor(quiet).suspect(Hypothesis.EXPLICIT_GC, OptionalDouble.empty());
    // Jeffreys' prior: of a second Poisson count 97.5 % are 3 or less after none in the first.
    assertStated(0, 0.5, 3, only(predictions, Quantity.COLLECTIONS));
    Prediction stopped = only(predictions, Quantity.STOPPED);
    assertTrue(stopped.range().isEmpty(), stopped::toString);
    // Without a log or a recording nothing was counted.
    Prediction unknown =
        only(
            predictor(incident().requests(100, 8, 900))
                .suspect(Hypothesis.EXPLICIT_GC, OptionalDouble.empty()),
            Quantity.COLLECTIONS);
    assertEquals("no GC is in the inputs", unknown.basis());
  }
}
