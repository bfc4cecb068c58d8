package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.SampleFiles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Two exports of one service over the same 24 s, scraped every two seconds: a latency percentile at
 * 12 times, and counters and gauges. The one collection in that time fell into the slowest of the
 * twelve intervals.
 */
class CorrelateCommandTest extends PlainRuns {

  private static final String LATENCY =
      SampleFiles.file("metrics/prometheus-range-expression.json").toString();
  private static final String METRICS =
      SampleFiles.file("metrics/prometheus-range.json").toString();
  private static final String[] BOTH = {
    "correlate", LATENCY, METRICS, "--map", "prometheus-range-expression=latency"
  };

  private JsonNode json(String... more) throws IOException {
    String[] arguments = Arrays.copyOf(BOTH, BOTH.length + 2 + more.length);
    arguments[BOTH.length] = "--format";
    arguments[BOTH.length + 1] = "json";
    System.arraycopy(more, 0, arguments, BOTH.length + 2, more.length);
    assertEquals(0, run(arguments), err::toString);
    return new ObjectMapper().readTree(out.toString());
  }

  private static JsonNode lead(JsonNode root, String series) {
    for (JsonNode lead : root.get("leads")) {
      if (lead.get("series").asText().equals(series)) {
        return lead;
      }
    }
    throw new AssertionError(series + " in " + root);
  }

  @Test
  void theTableRanksLeadsAndSaysThatTheyProveNothing() {
    List<String> arguments = new ArrayList<>(List.of(BOTH));
    arguments.add("--verbose");
    assertEquals(0, run(arguments.toArray(String[]::new)), err::toString);
    String text = out.toString();
    assertTrue(text.startsWith("No series moves with the latency beyond chance\n"), text);
    assertTrue(text.contains("Correlation ranks leads; it proves nothing"), text);
    assertTrue(text.contains("\ntime stopped in GC"), text);
    assertTrue(text.lines().allMatch(line -> line.length() <= 100), text);
  }

  @Test
  void theShortAnswerHasNoRowsWithoutARelation() {
    assertEquals(0, run(BOTH), err::toString);
    String text = out.toString();
    assertTrue(text.contains("None of 14 series is shown to move with the latency."), text);
    assertTrue(text.contains("14 more series, timers by label"), text);
    assertFalse(text.contains("Pearson"), text);
  }

  @Test
  void withTooFewIntervalsNoTableOfDashesIsPrintedButHowManyAreNeeded() {
    List<String> arguments = new ArrayList<>(List.of(BOTH));
    arguments.addAll(List.of("--every", "4s", "--verbose"));
    assertEquals(0, run(arguments.toArray(String[]::new)), err::toString);
    String text = out.toString();
    assertTrue(text.contains("at least 10 are needed"), text);
    assertTrue(text.contains("Known in too few intervals (10 are needed"), text);
    assertFalse(text.contains("Pearson"), text);
  }

  @Test
  void oneCollectionInTheSlowestIntervalIsSaidToBeOne() throws IOException {
    JsonNode root = json();
    assertEquals(12, root.at("/tail/intervals").asInt());
    assertEquals(2, root.at("/tail/intervalSeconds").asInt());
    // Growth of jvm_gc_pause_seconds_sum against the latency: 0.003 s in one interval, 0 in the
    // others. By the definition of r, computed from the two files with Python: 0.9761.
    JsonNode stopped = lead(root, "time stopped in GC pauses, by meter");
    assertEquals(0.9761, stopped.get("pearson").asDouble(), 0.0001);
    assertEquals("few-intervals", stopped.get("verdict").asText());
    assertEquals(12, stopped.get("n").asInt());
    // The same of tomcat_threads_busy, a gauge: 0.0442.
    JsonNode busy = lead(root, "request threads busy");
    assertEquals(0.0442, busy.get("pearson").asDouble(), 0.0001);
    assertEquals("not-shown", busy.get("verdict").asText());
  }

  @Test
  void longerIntervalsAreTooFew() throws IOException {
    JsonNode root = json("--every", "4s");
    assertEquals(6, root.at("/tail/intervals").asInt());
    assertTrue(root.get("summary").asText().startsWith("Not enough data"));
    assertTrue(root.at("/leads/0/pearson").isNull());
    assertEquals("too-few", root.at("/leads/0/verdict").asText());
  }

  @Test
  void aResultAloneSaysWhatIsMissing() {
    assertEquals(0, run("correlate", SampleFiles.file("load/jmeter-5.6.jtl").toString()));
    String text = out.toString().replaceAll("\\s+", " ");
    assertTrue(text.contains("Not in the files: GC pauses"), text);
    assertTrue(text.contains("Not enough data"), text);
  }

  @Test
  void aSummaryHasNoLatencyOverTime() {
    assertEquals(0, run("correlate", Incidents.folder("pool-queue-small-heap").toString()));
    assertTrue(out.toString().contains("There is no latency over time"), out::toString);
  }
}
