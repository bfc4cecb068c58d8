package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.PredictedFix.Figure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.units.Estimate;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about predictions is as the files and the predictions are. */
@Tag("slow")
@Tag("incidents")
class PredictionTableTest {

  private static final List<PredictedFix> FIXES =
      IncidentDiagnoses.all().stream().flatMap(one -> PredictedFix.of(one).stream()).toList();

  private static final List<PredictedFix> OTHERS =
      Incidents.onceBlind().stream().flatMap(one -> PredictedFix.onceBlind(one).stream()).toList();

  @Test
  void thePageIsNotStale() throws IOException {
    TablePage.write("predictions.md", PredictionTable.rows(FIXES, OTHERS));
    TablePage.check(
        "predictions.md", PredictionTable.tables(FIXES) + PredictionTable.ofOthers(OTHERS));
  }

  @Test
  void theP99OfHalfOfTheLabsFixRunsLiesInItsPredictedRange() {
    List<Figure> latencies =
        FIXES.stream()
            .flatMap(fix -> fix.figures().stream())
            .filter(figure -> figure.predicted().quantity() == Quantity.LATENCY_P99)
            .toList();
    long inside = count(latencies, true);
    assertTrue(2 * inside >= latencies.size(), inside + " of " + latencies.size());
  }

  /** Ranges are to hold four of five: too few is overconfident, nearly all says nothing. */
  @Test
  void ofFixesThatNoModelWasBuiltWithSevenToNineInTenLieInTheirRange() {
    List<Figure> removed =
        OTHERS.stream()
            .flatMap(fix -> fix.figures().stream())
            .filter(figure -> figure.predicted().change().endsWith(" removed"))
            .toList();
    long inside = count(removed, true);
    long outside = count(removed, false);
    assertTrue(
        10 * inside >= 7 * (inside + outside) && 10 * inside <= 9 * (inside + outside),
        inside + " inside, " + outside + " outside");
  }

  private static long count(List<Figure> figures, boolean inside) {
    return figures.stream().filter(f -> f.inside().equals(Optional.of(inside))).count();
  }

  private static Figure figure(double low, double high, double measured) {
    return new Figure(
        new Prediction(
            Hypothesis.MEMORY_PRESSURE,
            "a change",
            Quantity.COLLECTIONS,
            OptionalDouble.of(80),
            Optional.of(new Estimate(low, high)),
            "",
            List.of()),
        OptionalDouble.of(measured));
  }

  @Test
  void missesAreCountedAsSuch() {
    // Middles: sqrt(4 x 9) = 6 against 5 is 20 %; sqrt(10 x 40) = 20 against 50 is 60 %;
    // from 0 to 10 the middle is 5, against 4 25 %.
    List<Figure> figures = List.of(figure(4, 9, 5), figure(10, 40, 50), figure(0, 10, 4));
    List<PredictedFix> fixes =
        List.of(new PredictedFix("one", Hypothesis.MEMORY_PRESSURE, figures));
    String text = PredictionTable.tables(fixes);
    assertTrue(text.startsWith("**Median error 25 % (n = 3)**"), text);
    assertTrue(text.contains("2 lie inside the range, 1 outside"), text);
    assertTrue(
        PredictionTable.rows(fixes, List.of())
            .contains("| `one` | a change | 80/min | 10/min to 40/min | 50/min | **no** | 60 % |"),
        text);
  }

  @Test
  void ofAMeasuredNoughtThereIsNoRelativeError() {
    assertEquals(OptionalDouble.empty(), figure(0, 10, 0).error());
    assertEquals(Optional.of(true), figure(0, 10, 0).inside());
  }
}
