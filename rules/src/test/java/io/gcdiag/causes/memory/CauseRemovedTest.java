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
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Estimate;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class CauseRemovedTest {

  @Test
  void aCauseThatDoesNotCollectLeavesCollectionsAsTheyAre() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.GC_PAUSES)
            .pauses(25, 0, 60, PauseSketch.young(0, 10))
            .pauses(25, 60, 120, PauseSketch.young(0, 10));
    List<Prediction> predictions = predictor(incident).withoutCause(Hypothesis.LOCK_CONTENTION);
    // 25 a minute of 10 ms each; two counts differ by 1.96 x sqrt(2 x 25.5) = 14 of 25.5 or less.
    Estimate collections = only(predictions, Quantity.COLLECTIONS).range().orElseThrow();
    // Of that 80 % are stated: 25.5 x (11.5 / 25.5)^0.654 = 15.1, 25.5 x (39.5 / 25.5)^0.654 = 33.9
    assertEquals(15.1, collections.low(), 1.5);
    assertEquals(33.9, collections.high(), 2);
    assertEquals(25.5, collections.likely(), 1e-6);
    Estimate stopped = only(predictions, Quantity.STOPPED).range().orElseThrow();
    assertEquals(collections.high() * 0.010 / 60, stopped.high(), 1e-6);
  }

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
            predictor(manyCollections()).withoutCause(Hypothesis.EXPLICIT_GC),
            Quantity.COLLECTIONS));
    assertTrue(
        only(
                predictor(manyCollections().withoutBaseline()).withoutCause(Hypothesis.EXPLICIT_GC),
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
            predictor(steadyHeap().withoutBaseline()).withoutCause(Hypothesis.EXPLICIT_GC),
            Quantity.COLLECTIONS));
  }

  @Test
  void latencyWithoutTheCauseIsThatOfTheBaseline() {
    Prediction latency =
        only(
            predictor(incident().requests(100, 8, 900))
                .suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.empty()),
            Quantity.LATENCY_P99);
    // All take 8 ms, in another run with the cause gone 0.8 to 1.75 times as long.
    assertRange(0.8 * 8 * MILLI, 1.75 * 8 * MILLI, latency);
    assertEquals(900 * MILLI, latency.now().orElseThrow(), 10 * MILLI);
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
    assertRange(0.8 * 8 * MILLI, 1.75 * 8 * MILLI, most);
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
  void theFastestRequestsOfAServiceThatAllocatesTooMuchAllocateTooMuchAsWell() {
    Prediction latency =
        only(
            predictor(steadyHeap().loadTest(100, 90, 140, 400))
                .suspect(Hypothesis.ALLOCATION_CHURN, OptionalDouble.empty()),
            Quantity.LATENCY_P99);
    assertTrue(latency.range().isEmpty());
  }

  @Test
  void exceptionsAreObjectsTooAndOnlyABaselineTellsHowManyCollectionsTheyMake() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.GC_PAUSES)
            .pauses(100, 60, 120, PauseSketch.young(0, 10))
            .withoutBaseline();
    Prediction collections =
        only(predictor(incident).withoutCause(Hypothesis.EXCEPTION_STORM), Quantity.COLLECTIONS);
    assertTrue(collections.range().isEmpty());
  }

  @Test
  void savedAllocationIsInProportion() {
    List<Prediction> predictions =
        predictor(steadyHeap()).suspect(Hypothesis.ALLOCATION_CHURN, OptionalDouble.empty());
    assertRange(24, 36, only(predictions, Quantity.COLLECTIONS));
    assertRange(0.004, 0.006, only(predictions, Quantity.STOPPED));
  }

  @Test
  void aBaselineWithFarLessAliveSaysNothingOfLatency() {
    IncidentBuilder grown =
        incident()
            .requests(100, 8, 900)
            .heapAfterCollection(30, Bytes.ofMebi(100), Bytes.ofMebi(256))
            .heapAfterCollection(90, Bytes.ofMebi(200), Bytes.ofMebi(256));
    Prediction latency =
        only(predictor(grown).withoutCause(Hypothesis.MEMORY_PRESSURE), Quantity.LATENCY_P99);
    assertTrue(
        latency.basis().startsWith("the live set is larger than in the baseline"), latency.basis());
    // A lock does not mind how much is alive.
    assertTrue(
        only(predictor(grown).withoutCause(Hypothesis.LOCK_CONTENTION), Quantity.LATENCY_P99)
            .range()
            .isPresent());
  }

  @Test
  void afterNoCollectionInAMinuteOneMayComeInTheNext() {
    IncidentBuilder quiet = incident().requests(100, 8, 900).recorded(Signal.GC_PAUSES);
    List<Prediction> predictions = predictor(quiet).withoutCause(Hypothesis.LOCK_CONTENTION);
    // Jeffreys' prior: of a second Poisson count 97.5 % are 3 or less after none in the first.
    assertStated(0, 0.5, 3, only(predictions, Quantity.COLLECTIONS));
    Prediction stopped = only(predictions, Quantity.STOPPED);
    assertTrue(stopped.range().isEmpty(), stopped::toString);
    // Without a log or a recording nothing was counted.
    Prediction unknown =
        only(
            predictor(incident().requests(100, 8, 900)).withoutCause(Hypothesis.LOCK_CONTENTION),
            Quantity.COLLECTIONS);
    assertEquals("no GC is in the inputs", unknown.basis());
  }
}
