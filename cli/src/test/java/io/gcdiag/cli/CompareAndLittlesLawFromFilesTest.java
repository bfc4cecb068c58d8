package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Commands that read a recorded incident, from the arguments to what is printed. */
@Tag("slow")
class CompareAndLittlesLawFromFilesTest extends PlainRuns {

  private static final String TROUBLE = Incidents.folder("pool-queue-small-heap").toString();
  private static final String FIXED = Incidents.folder("pool-queue-small-heap-fixed").toString();

  @Test
  void aComparisonBeginsWithWhatChangedAndWarnsOfTwoChangesBeforeItShowsFigures() {
    assertEquals(0, run("compare", TROUBLE, FIXED), err::toString);
    String text = out.toString();
    assertTrue(text.contains("maximum heap and dynamic resizing changed together"), text);
    int verdict = text.indexOf("P99 latency, whole test 291 ms -> 96.4 ms\n");
    assertTrue(verdict < text.indexOf("changed together"), text);
    assertTrue(text.indexOf("changed together") < text.indexOf("\nSettings "), text);
    int settings = text.indexOf("\nSettings  maximum heap 512 MiB -> 2 GiB\n");
    assertTrue(verdict < settings && settings < text.indexOf("\nFigure "), text);
    assertTrue(
        text.contains(" more figures without a difference beyond chance: see --verbose"), text);
    assertTrue(text.lines().count() <= 60, text);
  }

  /** Shares are printed with one decimal, and so are their differences. */
  @Test
  void aDifferenceOfSharesIsThatOfTheFiguresBesideIt() {
    assertEquals(0, run("compare", TROUBLE, FIXED), err::toString);
    Matcher row =
        Pattern.compile("([\\d.]+) % +([\\d.]+) % +([+-][\\d.]+) points").matcher(out.toString());
    int rows = 0;
    for (; row.find(); rows++) {
      double difference = Double.parseDouble(row.group(2)) - Double.parseDouble(row.group(1));
      assertEquals(difference, Double.parseDouble(row.group(3)), 1e-9, row.group());
    }
    assertTrue(rows > 0, out::toString);
  }

  @Test
  void theWholeComparisonHasAllFiguresWithWhatTheTestRestsOn() {
    assertEquals(0, run("compare", TROUBLE, FIXED, "--verbose"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("\nmaximum heap      512 MiB  2 GiB\n"), text);
    assertTrue(text.contains("not testable: one value for each run"), text);
  }

  @Test
  void aComparisonForMachinesHasNullWhereNothingCanBeTold() throws IOException {
    assertEquals(0, run("compare", TROUBLE, FIXED, "--format", "json"), err::toString);
    JsonNode root = new ObjectMapper().readTree(out.toString());
    assertEquals("1", root.get("schemaVersion").asText());
    for (JsonNode figure : root.get("figures")) {
      if (figure.get("name").asText().equals("latency.p99")) {
        // load.json of both runs: 291.1 and 96.4 ms.
        assertEquals(291.1e6, figure.get("before").asDouble(), 0.1e6);
        assertEquals(96.4e6, figure.get("after").asDouble(), 0.1e6);
        assertTrue(figure.get("chance").isNull());
      }
    }
  }

  @Test
  void aRunThatCannotBeReadEndsTheComparison() {
    assertEquals(3, run("compare", TROUBLE, FIXED + "/README.md"));
    assertTrue(err.toString().contains("README.md"), err::toString);
  }

  @Test
  void littlesLawSaysWhereItsFiguresComeFrom() {
    assertEquals(0, run("littles-law", "--from", TROUBLE, "--pool", "10"), err::toString);
    String text = out.toString();
    assertTrue(text.contains("Rate: at most 1,165/s, all requests of the load test"), text);
    assertTrue(text.contains("Hold time: at most 12.9 ms, mean latency"), text);
    assertTrue(!text.contains("Pool size:"), "it was given");
  }

  @Test
  void aHoldTimeThatIsOnlyBoundedByTheLatencyShowsRoomButSizesNoPool() {
    // All requests of the test in its incident, 1,165/s x 12.9 ms = 15: thirty are surely enough,
    // and one may be.
    assertEquals(0, run("littles-law", "--from", TROUBLE, "--pool", "30"), err::toString);
    assertTrue(
        out.toString().startsWith("At most 15 connections needed, the pool has 30"), out::toString);
    out.getBuffer().setLength(0);
    assertEquals(0, run("littles-law", "--from", TROUBLE, "--pool", "1"), err::toString);
    assertTrue(out.toString().contains("whether a pool of 1 keeps up is not known"), out::toString);
    assertEquals(2, run("littles-law", "--from", TROUBLE, "--target-wait", "5ms@p99"));
    assertTrue(err.toString().contains("give --hold for --target-wait"), err::toString);
  }

  @Test
  void whatTheFilesDoNotTellHasToBeGiven() {
    assertEquals(2, run("littles-law", "--from", TROUBLE + "/gc.log.gz"));
    assertEquals(
        "gcdiag: the files do not show the request rate; give --rps",
        err.toString().lines().findFirst().orElse(""));
  }
}
