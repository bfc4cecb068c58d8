package io.gcdiag.prediction;

import static io.gcdiag.rules.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Signal;
import io.gcdiag.prediction.Prediction.Quantity;
import io.gcdiag.prediction.Prediction.Range;
import io.gcdiag.prediction.Predictor.Suspect;
import io.gcdiag.queueing.ErlangC;
import io.gcdiag.rules.Hypothesis;
import io.gcdiag.rules.IncidentBuilder;
import io.gcdiag.rules.PauseSketch;
import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class PredictorTest {

  private static final double MILLI = 1e6;

  private static Predictor predictor(IncidentBuilder incident) {
    return new Predictor(incident.build(), List.of());
  }

  /** A suspect of which it is not known how much it explains. */
  private static List<Suspect> alone(Hypothesis hypothesis) {
    return List.of(new Suspect(hypothesis, OptionalDouble.empty()));
  }

  private static Prediction only(List<Prediction> predictions, Quantity quantity) {
    List<Prediction> found = predictions.stream().filter(p -> p.quantity() == quantity).toList();
    assertEquals(1, found.size(), predictions::toString);
    return found.get(0);
  }

  private static void assertRange(double low, double high, Prediction prediction) {
    Range range = prediction.range().orElseThrow(() -> new AssertionError(prediction.basis()));
    assertEquals(low, range.low(), 0.02 * low + 1e-12, prediction::toString);
    assertEquals(high, range.high(), 0.02 * high + 1e-12, prediction::toString);
  }

  /** 50 MiB are allocated each second, then a collection of 10 ms leaves 50 MiB alive again. */
  private static IncidentBuilder steadyHeap() {
    return incident()
        .recorded(Signal.GC_PAUSES)
        .maxHeap(150)
        .pauses(60, 60, 120, PauseSketch.young(0, 10).heap(100, 50, 150));
  }

  @Test
  void aLargerHeapIsCollectedAsItsYoungGenerationFills() {
    List<Prediction> predictions =
        predictor(steadyHeap()).heap(Hypothesis.MEMORY_PRESSURE, "x 2", Bytes.ofMebi(300));
    // A third of 300 MiB is young: 50 to 100 MiB of room, every 1 to 2 s, 10 % more or less.
    Prediction collections = only(predictions, Quantity.COLLECTIONS);
    assertRange(27, 66, collections);
    assertEquals(60, collections.now().orElseThrow(), 0.01);
    // 30 to 60 times 10 ms a minute, 10 % more or less.
    assertRange(0.0045, 0.011, only(predictions, Quantity.STOPPED));
  }

  @Test
  void aYoungGenerationOfFixedSizeDoesNotGrowWithTheHeap() {
    List<Prediction> predictions =
        predictor(steadyHeap().flag("MaxNewSize", Long.toString(50L << 20)))
            .heap(Hypothesis.MEMORY_PRESSURE, "x 4", Bytes.ofMebi(600));
    // 25 to 50 MiB of room.
    assertRange(54, 132, only(predictions, Quantity.COLLECTIONS));
  }

  @Test
  void whatStaysMustBeMovedAndFillsTheRest() {
    // Each collection leaves 1 MiB more: from 50 to 110 MiB, which full ones bring back.
    IncidentBuilder incident = incident().recorded(Signal.GC_PAUSES).maxHeap(150);
    for (int second = 0; second < 60; second++) {
      incident.pause(PauseSketch.young(60 + second, 10).heap(100 + second, 51 + second, 200));
    }
    incident.pause(PauseSketch.full(119.5, 500).heap(111, 50, 200));
    List<Prediction> predictions =
        predictor(incident).heap(Hypothesis.MEMORY_PRESSURE, "heap", Bytes.ofMebi(600));
    // Old: 600 - 200 - 50 = 350 MiB, filled at 1 MiB/s: 0.17 full collections a minute.
    Prediction collections = only(predictions, Quantity.COLLECTIONS);
    assertTrue(collections.range().orElseThrow().low() > 10, collections::toString);
    // 50 MiB moved in 500 ms: 100 MiB/s. 150 MiB more room, 3 MiB more to move, 30 ms more.
    Prediction stopped = only(predictions, Quantity.STOPPED);
    assertTrue(stopped.range().orElseThrow().high() >= 0.0099, stopped::toString);
  }

  @Test
  void aHeapThatWouldNotHoldWhatIsAliveIsNotPredicted() {
    List<Prediction> predictions =
        predictor(steadyHeap()).heap(Hypothesis.MEMORY_PRESSURE, "less", Bytes.ofMebi(60));
    Prediction collections = only(predictions, Quantity.COLLECTIONS);
    assertTrue(collections.range().isEmpty());
    assertEquals("what stays alive would not fit into the old generation", collections.basis());
  }

  @Test
  void withoutTheHeapAroundCollectionsNothingIsPredicted() {
    Predictor predictor =
        predictor(
            incident().recorded(Signal.GC_PAUSES).pauses(60, 60, 120, PauseSketch.young(0, 10)));
    assertTrue(
        predictor
            .heap(Hypothesis.MEMORY_PRESSURE, "x 2", Bytes.ofMebi(300))
            .get(0)
            .range()
            .isEmpty());
  }

  @Test
  void latencyUnderPredictedPausesIsSimulated() {
    // Calm requests take 5 ms. 27 to 60 pauses of 10 ms a minute touch 1 to 2 % of the requests.
    List<Prediction> predictions =
        predictor(steadyHeap().rate(200).requests(200, 5, 50))
            .heap(Hypothesis.MEMORY_PRESSURE, "x 2", Bytes.ofMebi(300));
    Prediction latency = only(predictions, Quantity.LATENCY_P99);
    Range range = latency.range().orElseThrow();
    assertTrue(range.low() >= 0.95 * 4.9 * MILLI && range.high() <= 15 * MILLI, latency::toString);
    assertEquals(50 * MILLI, latency.now().orElseThrow(), MILLI);
  }

  @Test
  void aWholeTestsPercentileIsNotComparedWithThatOfTheIncidentAlone() {
    List<Prediction> predictions =
        predictor(steadyHeap().rate(200).loadTest(200, 5, 50))
            .heap(Hypothesis.MEMORY_PRESSURE, "x 2", Bytes.ofMebi(300));
    assertEquals(OptionalDouble.empty(), only(predictions, Quantity.LATENCY_P99).now());
  }

  @Test
  void moreConnectionsWaitAsErlangSays() {
    IncidentBuilder pool = incident().rate(200).hold(30).poolSize(4);
    List<Prediction> predictions =
        predictor(pool).servers(Hypothesis.CONNECTION_POOL_UNDERSIZED, 8);
    // 200/s x 30 ms = 6 of 8; spread like an exponential at the most.
    double expected =
        ErlangC.of(200, Duration.ofMillis(30), 8).waitQuantile(0.99).orElseThrow().toNanos();
    Prediction wait = only(predictions, Quantity.WAIT_P99);
    assertEquals(expected, wait.range().orElseThrow().high(), 0.2 * expected);
    assertTrue(wait.range().orElseThrow().low() < 0.8 * expected, wait::toString);
    assertEquals("4 to 8 connections", wait.change());
  }

  @Test
  void tooFewConnectionsAreNotPredictedButRefused() {
    Prediction wait =
        only(
            predictor(incident().rate(200).hold(30).poolSize(4))
                .servers(Hypothesis.CONNECTION_POOL_UNDERSIZED, 5),
            Quantity.WAIT_P99);
    assertTrue(wait.range().isEmpty());
    assertEquals("the line would still grow: 6 are needed on average", wait.basis());
  }

  @Test
  void theNumberProposedIsTheSmallestThatSeldomMakesWait() {
    List<Prediction> predictions =
        predictor(incident().rate(200).hold(30).poolSize(4))
            .suspects(alone(Hypothesis.CONNECTION_POOL_UNDERSIZED));
    // M/M/c with a load of 6: one in a hundred waits longer than 30 ms at 8, and no more at 9: it
    // lies so close that a simulated stream may want 10.
    String change = only(predictions, Quantity.WAIT_P99).change();
    assertTrue(change.matches("4 to (9|10) connections"), change);
  }

  @Test
  void aCauseThatDoesNotCollectLeavesCollectionsAsTheyAre() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.GC_PAUSES)
            .pauses(25, 0, 60, PauseSketch.young(0, 10))
            .pauses(25, 60, 120, PauseSketch.young(0, 10));
    List<Prediction> predictions = predictor(incident).withoutCause(Hypothesis.LOCK_CONTENTION);
    // 25 a minute of 10 ms each; two counts differ by 1.96 x sqrt(2 x 25.5) = 14 of 25.5 or less.
    Range collections = only(predictions, Quantity.COLLECTIONS).range().orElseThrow();
    assertEquals(11.5, collections.low(), 1.5);
    assertEquals(39.5, collections.high(), 2);
    assertEquals(25.5, collections.middle(), 1e-6);
    Range stopped = only(predictions, Quantity.STOPPED).range().orElseThrow();
    assertEquals(collections.high() * 0.010 / 60, stopped.high(), 1e-6);
  }

  @Test
  void aCauseThatCollectsLeavesThoseOfTheCalm() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.GC_PAUSES)
            .pauses(1, 0, 60, PauseSketch.young(0, 10))
            .pauses(100, 60, 120, PauseSketch.young(0, 10));
    // After one in a minute none to six.
    assertRange(
        0, 6, only(predictor(incident).withoutCause(Hypothesis.EXPLICIT_GC), Quantity.COLLECTIONS));
    assertTrue(
        only(
                predictor(incident.withoutCalm()).withoutCause(Hypothesis.EXPLICIT_GC),
                Quantity.COLLECTIONS)
            .range()
            .isEmpty());
  }

  @Test
  void whereCollectionsAreAskedForOthersComeAsTheYoungGenerationFills() {
    // 50 MiB a second into a third of 150 MiB, of which a half to all is room: every 0.5 to 1 s,
    // 10 % more or less.
    assertRange(
        54,
        132,
        only(
            predictor(steadyHeap().withoutCalm()).withoutCause(Hypothesis.EXPLICIT_GC),
            Quantity.COLLECTIONS));
  }

  @Test
  void latencyWithoutTheCauseIsThatOfTheCalm() {
    Prediction latency =
        only(
            predictor(incident().requests(100, 8, 900)).suspects(alone(Hypothesis.LOCK_CONTENTION)),
            Quantity.LATENCY_P99);
    // All take 8 ms; latencies are kept to one percent, and two runs differ by five.
    assertRange(0.95 * 8 * MILLI, 1.05 * 8 * MILLI, latency);
    assertEquals(900 * MILLI, latency.now().orElseThrow(), 10 * MILLI);
  }

  @Test
  void whatStaysWithoutASmallCauseIsNotPromised() {
    IncidentBuilder delayed = incident().requests(100, 8, 900);
    Prediction third =
        only(
            predictor(delayed)
                .suspects(List.of(new Suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.of(0.3)))),
            Quantity.LATENCY_P99);
    assertTrue(third.range().isEmpty(), third::toString);
    assertTrue(third.basis().startsWith("it explains 30.0 % of what was lost"), third.basis());
    Prediction most =
        only(
            predictor(delayed)
                .suspects(List.of(new Suspect(Hypothesis.LOCK_CONTENTION, OptionalDouble.of(0.9)))),
            Quantity.LATENCY_P99);
    assertRange(0.95 * 8 * MILLI, 1.05 * 8 * MILLI, most);
  }

  @Test
  void aSummaryOfTheWholeTestDoesNotTellTheCalm() {
    Prediction latency =
        only(
            predictor(incident().loadTest(100, 5, 6, 400))
                .suspects(alone(Hypothesis.LOCK_CONTENTION)),
            Quantity.LATENCY_P99);
    assertTrue(latency.range().isEmpty());
    assertTrue(latency.basis().startsWith("a summary of the whole load test"), latency.basis());
  }

  @Test
  void theFastestRequestsOfAServiceThatAllocatesTooMuchAllocateTooMuchAsWell() {
    Prediction latency =
        only(
            predictor(steadyHeap().loadTest(100, 90, 140, 400))
                .suspects(alone(Hypothesis.ALLOCATION_CHURN)),
            Quantity.LATENCY_P99);
    assertTrue(latency.range().isEmpty());
  }

  @Test
  void exceptionsAreObjectsTooAndOnlyACalmTellsHowManyCollectionsTheyMake() {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.GC_PAUSES)
            .pauses(100, 60, 120, PauseSketch.young(0, 10))
            .withoutCalm();
    Prediction collections =
        only(predictor(incident).withoutCause(Hypothesis.EXCEPTION_STORM), Quantity.COLLECTIONS);
    assertTrue(collections.range().isEmpty());
  }

  @Test
  void savedAllocationIsInProportion() {
    List<Prediction> predictions =
        predictor(steadyHeap()).suspects(alone(Hypothesis.ALLOCATION_CHURN));
    assertRange(24, 36, only(predictions, Quantity.COLLECTIONS));
    assertRange(0.004, 0.006, only(predictions, Quantity.STOPPED));
  }

  @Test
  void noSuspectNoPrediction() {
    assertEquals(List.of(), predictor(steadyHeap()).suspects(List.of()));
  }

  @Test
  void aCalmWithFarLessAliveSaysNothingOfLatency() {
    IncidentBuilder grown =
        incident()
            .requests(100, 8, 900)
            .heapAfterCollection(30, Bytes.ofMebi(100), Bytes.ofMebi(256))
            .heapAfterCollection(90, Bytes.ofMebi(200), Bytes.ofMebi(256));
    Prediction latency =
        only(predictor(grown).withoutCause(Hypothesis.MEMORY_PRESSURE), Quantity.LATENCY_P99);
    assertTrue(latency.basis().startsWith("more is alive than in the calm"), latency.basis());
    // A lock does not mind how much is alive.
    assertTrue(
        only(predictor(grown).withoutCause(Hypothesis.LOCK_CONTENTION), Quantity.LATENCY_P99)
            .range()
            .isPresent());
  }

  @Test
  void noCollectionInAMinuteMayBeUpToThreeInTheNext() {
    IncidentBuilder quiet = incident().requests(100, 8, 900).recorded(Signal.GC_PAUSES);
    List<Prediction> predictions = predictor(quiet).withoutCause(Hypothesis.LOCK_CONTENTION);
    // Jeffreys' prior: of a second Poisson count 97.5 % are 3 or less after none in the first.
    assertRange(0, 3, only(predictions, Quantity.COLLECTIONS));
    Prediction stopped = only(predictions, Quantity.STOPPED);
    assertTrue(stopped.range().isEmpty(), stopped::toString);
    // Without a log or a recording nobody has counted.
    Prediction unknown =
        only(
            predictor(incident().requests(100, 8, 900)).withoutCause(Hypothesis.LOCK_CONTENTION),
            Quantity.COLLECTIONS);
    assertEquals("no collection is in the inputs", unknown.basis());
  }
}
