package io.gcdiag.causes.memory;

import static io.gcdiag.books.PredictionSketch.MILLI;
import static io.gcdiag.books.PredictionSketch.assertStated;
import static io.gcdiag.books.PredictionSketch.only;
import static io.gcdiag.books.PredictionSketch.predictor;
import static io.gcdiag.books.PredictionSketch.stated;
import static io.gcdiag.books.PredictionSketch.steadyHeap;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.causes.memory.MemoryPressureCause.WantedHeap;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.sketches.Predictor;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Estimate;
import java.util.List;
import java.util.OptionalDouble;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class HeapSizesTest {

  @Test
  void aLargerHeapIsCollectedAsItsYoungGenerationFills() {
    List<Prediction> predictions =
        predictor(steadyHeap()).heap(Hypothesis.MEMORY_PRESSURE, "x 2", Bytes.ofMebi(300));
    // A third of 300 MiB is young: 50 to 100 MiB of room, every 1 to 2 s, 10 % more or less.
    Prediction collections = only(predictions, Quantity.COLLECTIONS);
    assertStated(27, Math.sqrt(27 * 66), 66, collections);
    assertEquals(60, collections.now().orElseThrow(), 0.01);
    // 30 to 60 times 10 ms a minute, 10 % more or less.
    assertStated(0.0045, Math.sqrt(0.0045 * 0.011), 0.011, only(predictions, Quantity.STOPPED));
  }

  /** 24 young pauses that keep much or little, and a full GC of some length that leaves 420 MiB. */
  private static Bytes wanted(String collector, double millis, double kept) {
    IncidentBuilder incident = incident().collector(collector).maxHeap(512);
    for (int second = 61; second < 85; second++) {
      incident.pause(PauseSketch.young(second, millis).heap(500, 420 + kept, 512));
    }
    incident.pause(PauseSketch.full(90, 10 * millis).heap(500, 420, 512));
    return new WantedHeap(incident.build()).bytes().orElseThrow();
  }

  /**
   * 420 MiB are 60 % of 700, however long the pauses were that a file shows. Serial has them in an
   * old generation of 700 MiB, two thirds of the heap.
   */
  @Test
  void theHeapToSetFollowsFromWhatLives() {
    for (double millis : new double[] {1, 40, 400}) {
      for (double kept : new double[] {0, 1, 40}) {
        assertEquals(Bytes.ofMebi(700), wanted("G1", millis, kept));
        assertEquals(Bytes.ofMebi(1050), wanted("Serial", millis, kept));
      }
    }
  }

  @Test
  void aYoungGenerationOfFixedSizeDoesNotGrowWithTheHeap() {
    List<Prediction> predictions =
        predictor(steadyHeap().flag("MaxNewSize", Long.toString(50L << 20)))
            .heap(Hypothesis.MEMORY_PRESSURE, "x 4", Bytes.ofMebi(600));
    // 50 MiB of room at 50 MiB/s, as now: 60 a minute, 10 % less, and no more than now.
    Estimate range = only(predictions, Quantity.COLLECTIONS).range().orElseThrow();
    assertEquals(stated(54, Math.sqrt(54 * 66)), range.low(), 1);
    assertEquals(60, range.high(), 0.01);
  }

  /** Each collection leaves 1 MiB more: from 50 to 110 MiB, which full ones bring back. */
  private static IncidentBuilder whatStays() {
    IncidentBuilder incident = incident().recorded(Signal.GC_PAUSES).maxHeap(150);
    for (int second = 0; second < 60; second++) {
      incident.pause(PauseSketch.young(60 + second, 10).heap(100 + second, 51 + second, 200));
    }
    return incident.pause(PauseSketch.full(119.5, 500).heap(111, 50, 200));
  }

  /** 33 to 67 MiB of room at 50 MiB/s: 45 to 90 collections a minute, in place of 60. */
  @Test
  void aLargerHeapIsNotCollectedMoreOftenThanThePresentOne() {
    Prediction collections =
        only(
            predictor(steadyHeap()).heap(Hypothesis.MEMORY_PRESSURE, "", Bytes.ofMebi(200)),
            Quantity.COLLECTIONS);
    assertEquals(60, collections.now().orElseThrow(), 0.01);
    assertEquals(60, collections.range().orElseThrow().high(), 0.01);
  }

  /** In twelve times the heap each pause copies more of what stays: it is longer. */
  @Test
  void pausesThatALargerHeapMakesLongerAreTold() {
    IncidentBuilder incident = whatStays().rate(200).requests(200, 5, 50);
    String basis =
        only(
                predictor(incident).heap(Hypothesis.MEMORY_PRESSURE, "", Bytes.ofMebi(2400)),
                Quantity.LATENCY_P99)
            .basis();
    String longer =
        "; pauses are fewer and up to .* long \\(now 10 ms\\): each copies what stays of";
    assertTrue(Pattern.compile(longer).matcher(basis).find(), basis);
    String same =
        only(
                predictor(steadyHeap().rate(200).requests(200, 5, 50))
                    .heap(Hypothesis.MEMORY_PRESSURE, "", Bytes.ofMebi(300)),
                Quantity.LATENCY_P99)
            .basis();
    assertFalse(same.contains("pauses are fewer"), same);
  }

  @Test
  void whatStaysMustBeMovedAndFillsTheRest() {
    IncidentBuilder incident = whatStays();
    List<Prediction> predictions =
        predictor(incident).heap(Hypothesis.MEMORY_PRESSURE, "heap", Bytes.ofMebi(600));
    // Old: 600 - 200 - 50 = 350 MiB, filled at 1 MiB/s: 0.17 full GCs a minute.
    Prediction collections = only(predictions, Quantity.COLLECTIONS);
    assertTrue(collections.range().orElseThrow().low() > 10, collections::toString);
    // 50 MiB moved in 500 ms: 100 MiB/s. 150 MiB more room, 3 MiB more to move, 30 ms more.
    Prediction stopped = only(predictions, Quantity.STOPPED);
    Estimate range = stopped.range().orElseThrow();
    assertTrue(range.high() >= stated(0.0099, range.likely()), stopped::toString);
  }

  @Test
  void aHeapThatWouldNotHoldWhatIsAliveIsNotPredicted() {
    List<Prediction> predictions =
        predictor(steadyHeap()).heap(Hypothesis.MEMORY_PRESSURE, "less", Bytes.ofMebi(60));
    Prediction collections = only(predictions, Quantity.COLLECTIONS);
    assertTrue(collections.range().isEmpty());
    assertEquals("the live set would not fit into the old generation", collections.basis());
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
    // Undisturbed requests take 5 ms. 27 to 60 pauses of 10 ms a minute touch 1 to 2 % of the
    // requests.
    List<Prediction> predictions =
        predictor(steadyHeap().rate(200).requests(200, 5, 50))
            .heap(Hypothesis.MEMORY_PRESSURE, "x 2", Bytes.ofMebi(300));
    Prediction latency = only(predictions, Quantity.LATENCY_P99);
    Estimate range = latency.range().orElseThrow();
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
}
