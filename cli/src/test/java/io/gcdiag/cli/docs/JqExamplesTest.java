package io.gcdiag.cli.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The examples with jq on the page of formats find something in a report. jq need not be installed:
 * the little of its language that they use is evaluated here.
 */
@Tag("slow")
class JqExamplesTest {

  private static final Pattern EXAMPLE = Pattern.compile("jq -r '([^']+)' report\\.json");
  private static final Pattern SELECT = Pattern.compile("select\\(\\.(\\w+) == \"([^\"]*)\"\\)");
  private static final Pattern STEP = Pattern.compile("\\.(\\w+)(\\[\\])?");

  @Test
  void eachExampleFindsWhatItAsksFor() throws IOException {
    List<String> examples = examples();
    assertFalse(examples.isEmpty());
    List<JsonNode> reports = List.of(report("depot-large-buffers"), report("depot-scans"));
    for (String example : examples) {
      assertTrue(
          reports.stream().anyMatch(report -> !evaluate(report, example).isEmpty()), example);
    }
  }

  @Test
  void theIntervalOfAShareHoldsTheShare() throws IOException {
    JsonNode report = report("depot-scans");
    String suspect = ".hypotheses[] | select(.verdict == \"primary-suspect\") | ";
    List<String> ends = evaluate(report, suspect + ".explainedShareInterval | .low, .high");
    double share = Double.parseDouble(evaluate(report, suspect + ".explainedShare").get(0));
    assertEquals(2, ends.size());
    assertTrue(Double.parseDouble(ends.get(0)) <= share);
    assertTrue(Double.parseDouble(ends.get(1)) >= share);
  }

  /** -XX:G1HeapRegionSize is 1m there; the largest arrays have 2,000,000 bytes: half of 4 MiB. */
  @Test
  void theEditIsData() throws IOException {
    JsonNode report = report("depot-large-buffers");
    assertEquals(
        List.of("-XX:G1HeapRegionSize=4m (now 1m)"), evaluate(report, ".actions[] | .text"));
    JsonNode edit = report.path("actions").path(0);
    assertEquals("humongous-allocation", edit.path("hypothesis").asText());
    assertEquals("flag", edit.path("kind").asText());
    assertEquals("1m", edit.path("from").asText());
    assertEquals("4m", edit.path("to").asText());
  }

  private static JsonNode report(String incident) throws IOException {
    return new ObjectMapper()
        .readTree(
            Gcdiag.run(
                    List.of("analyze", Incidents.folder(incident).toString(), "--format", "json"))
                .out());
  }

  private static List<String> examples() throws IOException {
    Path page = Pages.ROOT.resolve("docs/reports.md");
    List<String> examples = new ArrayList<>();
    for (Pages.Code code : Pages.code(page)) {
      for (String line : code.lines()) {
        Matcher example = EXAMPLE.matcher(line);
        if (example.matches()) {
          examples.add(example.group(1));
        }
      }
    }
    return examples;
  }

  private static List<String> evaluate(JsonNode report, String program) {
    Stream<JsonNode> nodes = Stream.of(report);
    for (String part : program.split(" \\| ")) {
      List<String> each = List.of(part.split(", "));
      nodes = nodes.flatMap(node -> each.stream().flatMap(one -> step(node, one)));
    }
    return nodes.filter(node -> !node.isMissingNode()).map(JsonNode::asText).toList();
  }

  private static Stream<JsonNode> step(JsonNode node, String part) {
    Matcher select = SELECT.matcher(part);
    if (select.matches()) {
      return node.path(select.group(1)).asText().equals(select.group(2))
          ? Stream.of(node)
          : Stream.empty();
    }
    Matcher step = STEP.matcher(part);
    if (!step.matches()) {
      throw new IllegalArgumentException("this test does not know of jq: " + part);
    }
    JsonNode found = node.path(step.group(1));
    if (step.group(2) == null) {
      return Stream.of(found);
    }
    List<JsonNode> elements = new ArrayList<>();
    found.forEach(elements::add);
    return elements.stream();
  }
}
