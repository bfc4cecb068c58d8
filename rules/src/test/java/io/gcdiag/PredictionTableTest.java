package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.PredictedFix.Figure;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.prediction.Prediction;
import io.gcdiag.prediction.Prediction.Quantity;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page about predictions is as the files and the predictions are. */
@Tag("slow")
@Tag("incidents")
class PredictionTableTest {

  @Test
  void thePageIsNotStale() throws IOException {
    String page = Files.readString(PredictionTable.page());
    String renewed = PredictionTable.renewed(page, IncidentDiagnoses.all(), Incidents.onceBlind());
    if (System.getProperty("approve") != null) {
      Files.writeString(PredictionTable.page(), renewed);
      return;
    }
    assertEquals(
        page,
        renewed,
        () ->
            PredictionTable.page() + " is stale; read the change, then ./mvnw -B verify -Dapprove");
  }

  /** The page has what is predicted now: {@link #thePageIsNotStale}. */
  @Test
  void theP99OfHalfOfTheLabsFixRunsLiesInItsPredictedRange() throws IOException {
    List<String> rows = rows("\n## P99 latency\n", "");
    long inside = rows.stream().filter(row -> row.contains("| yes |")).count();
    assertTrue(2 * inside >= rows.size(), inside + " of " + rows.size());
  }

  /** Ranges are to hold four of five: too few is overconfident, nearly all says nothing. */
  @Test
  void ofFixesThatNoModelWasBuiltWithSevenToNineInTenLieInTheirRange() throws IOException {
    List<String> rows = rows("\n## P99 latency of the blind tests' fixes\n", " removed |");
    long inside = rows.stream().filter(row -> row.contains("| yes |")).count();
    long outside = rows.stream().filter(row -> row.contains("| **no** |")).count();
    assertTrue(
        10 * inside >= 7 * (inside + outside) && 10 * inside <= 9 * (inside + outside),
        inside + " inside, " + outside + " outside");
  }

  /** Rows of incidents in a section of the page, with a text in them. */
  private static List<String> rows(String title, String with) throws IOException {
    String page = Files.readString(PredictionTable.page());
    String section = page.substring(page.indexOf(title) + title.length()).split("\n##+ ")[0];
    return section.lines().filter(row -> row.startsWith("| `") && row.contains(with)).toList();
  }

  private static Figure figure(double low, double high, double measured) {
    return new Figure(
        new Prediction(
            Hypothesis.MEMORY_PRESSURE,
            "a change",
            Quantity.COLLECTIONS,
            OptionalDouble.of(80),
            Optional.of(new Prediction.Range(low, high)),
            "",
            List.of()),
        OptionalDouble.of(measured));
  }

  @Test
  void missesAreCountedAsSuch() {
    // Middles: sqrt(4 x 9) = 6 against 5 is 20 %; sqrt(10 x 40) = 20 against 50 is 60 %;
    // from 0 to 10 the middle is 5, against 4 25 %.
    List<Figure> figures = List.of(figure(4, 9, 5), figure(10, 40, 50), figure(0, 10, 4));
    String text =
        PredictionTable.tables(
            List.of(new PredictedFix("one", Hypothesis.MEMORY_PRESSURE, figures)));
    assertTrue(text.startsWith("**Median error 25 % (n = 3)**"), text);
    assertTrue(text.contains("2 lie inside the range, 1 outside"), text);
    assertTrue(
        text.contains("| `one` | a change | 80/min | 10/min to 40/min | 50/min | **no** | 60 % |"),
        text);
  }

  @Test
  void ofAMeasuredNoughtThereIsNoRelativeError() {
    assertEquals(OptionalDouble.empty(), figure(0, 10, 0).error());
    assertEquals(Optional.of(true), figure(0, 10, 0).inside());
  }
}
