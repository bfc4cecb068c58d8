package io.gcdiag.books;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import io.gcdiag.sketches.Predictor;
import io.gcdiag.units.Estimate;
import java.util.List;

/** What the tests of predictions have in common. */
public final class PredictionSketch {

  /** z(0.9) / z(0.975): a tenth may be beyond each end. */
  private static final double TWO_ENDS = 0.65387;

  /** z(0.8) / z(0.975): nothing is below 0, a fifth may be beyond the other end. */
  private static final double ONE_END = 0.42941;

  /** In nanoseconds. */
  public static final double MILLI = 1e6;

  private PredictionSketch() {}

  public static Predictor predictor(IncidentBuilder incident) {
    return new Predictor(incident.build(), List.of());
  }

  public static Prediction only(List<Prediction> predictions, Quantity quantity) {
    List<Prediction> found = predictions.stream().filter(p -> p.quantity() == quantity).toList();
    assertEquals(1, found.size(), predictions::toString);
    return found.get(0);
  }

  public static void assertRange(double low, double high, Prediction prediction) {
    Estimate range = prediction.range().orElseThrow(() -> new AssertionError(prediction.basis()));
    assertEquals(low, range.low(), 0.02 * low + 1e-12, prediction::toString);
    assertEquals(high, range.high(), 0.02 * high + 1e-12, prediction::toString);
  }

  /** The ends with every error at its worst and the likeliest value, of which 80 % are stated. */
  public static void assertStated(double low, double likely, double high, Prediction prediction) {
    double part = low > 0 ? TWO_ENDS : ONE_END;
    assertRange(stated(low, likely, part), stated(high, likely, part), prediction);
  }

  public static double stated(double end, double likely) {
    return stated(end, likely, TWO_ENDS);
  }

  /** So much of the way from the likeliest value to an end, by factor. */
  private static double stated(double end, double likely, double part) {
    return likely * Math.pow(end / likely, part);
  }

  /** 50 MiB are allocated each second, then a collection of 10 ms leaves 50 MiB alive again. */
  public static IncidentBuilder steadyHeap() {
    return incident()
        .recorded(Signal.GC_PAUSES)
        .maxHeap(150)
        .pauses(60, 60, 120, PauseSketch.young(0, 10).heap(100, 50, 150));
  }
}
