package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.cli.manual.Manual;
import java.io.IOException;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** {@code gcdiag explain} and {@code gcdiag rules}. */
class ExplainCommandTest extends PlainRuns {

  private static final int MOST_LINES = 60;

  @Test
  void aRootCauseIsExplained() {
    assertEquals(0, run("explain", "heap-resizing"), err::toString);
    assertTrue(
        out.toString()
            .startsWith(
                "Heap resizing at run time\n=========================\n"
                    + "Root cause  heap-resizing\n"),
        out::toString);
    assertTrue(out.toString().contains("\nWHAT TO CHANGE FIRST\n"), out::toString);
  }

  @Test
  void aRuleIsExplainedWithWhatItNeeds() {
    assertEquals(0, run("explain", "pool-wait"), err::toString);
    assertTrue(
        out.toString()
            .contains(
                "Judges  connection-pool-undersized, connection-leak, slow-downstream\nNeeds   "),
        out::toString);
    assertTrue(out.toString().contains("\nEVIDENCE IT NEEDS\n"), out::toString);
    assertFalse(out.toString().contains("\nKNOWN LIMITATIONS\n"), out::toString);
  }

  @Test
  void howOftenEachLevelOfConfidenceWasRightIsPrinted() {
    assertEquals(0, run("explain", "confidence"), err::toString);
    String table = out.toString();
    assertTrue(table.contains("\nWHAT EACH LEVEL WAS WORTH\n"), table);
    assertTrue(
        table.lines().anyMatch(line -> line.matches("all files +high +\\d+ of \\d+ .*")), table);
    assertFalse(table.contains("<!--"), table);
  }

  @Test
  void theWordsOfAReportHavePages() {
    assertWord("lost-time", "100/s x 80 ms = 8.0 requests in the system");
    assertWord("explains", "make 100 %");
    assertWord("verdicts", "Ruled out is stronger than not indicated");
    assertWord("windows", "gcdiag analyze incident.jfr --incident 15s..30s");
    assertWord("glossary", "downstream call");
  }

  private void assertWord(String word, String text) {
    out.getBuffer().setLength(0);
    assertEquals(0, run("explain", word), err::toString);
    assertTrue(out.toString().replaceAll("\\s+", " ").contains(text), out::toString);
  }

  @Test
  void theGlossaryHasTwentyTerms() {
    long rows =
        Manual.page(Manual.find("glossary").orElseThrow())
            .lines()
            .filter(line -> line.startsWith("| ") && !line.startsWith("| term"))
            .count();
    assertEquals(20, rows);
  }

  @Test
  void theWholePageIsPrintedOnRequest() {
    assertEquals(0, run("explain", "pool-wait", "--verbose"), err::toString);
    assertTrue(out.toString().contains("\nHOW IT JUDGES\n"), out::toString);
    assertTrue(out.toString().contains("\nKNOWN LIMITATIONS\n"), out::toString);
  }

  @Test
  void everyShortPageFitsOnOneScreen() {
    for (Hypothesis cause : Hypothesis.catalogue()) {
      assertShort(cause.id());
    }
    Causes.rules().forEach(rule -> assertShort(rule.id()));
    Manual.words().forEach(this::assertShort);
  }

  private void assertShort(String id) {
    out.getBuffer().setLength(0);
    assertEquals(0, run("explain", id), err::toString);
    long lines = out.toString().lines().count();
    assertTrue(lines <= MOST_LINES, id + ": " + lines);
    assertTrue(out.toString().contains("gcdiag explain " + id + " --verbose"), out::toString);
  }

  @Test
  void withoutAnIdAllAreListed() {
    assertEquals(0, run("explain"), err::toString);
    assertTrue(out.toString().contains("\nmemory-pressure  "), out::toString);
    assertTrue(out.toString().contains("humongous-regions"), out::toString);
    assertTrue(out.toString().lines().count() <= MOST_LINES, out::toString);
  }

  @Test
  void theLongListSaysWhatEachRuleDoes() {
    assertEquals(0, run("explain", "--verbose"), err::toString);
    assertTrue(out.toString().contains("\nheap-free-ratio  "), out::toString);
  }

  @Test
  void anUnknownIdNamesTheNearest() {
    assertEquals(2, run("explain", "deadlok"));
    assertEquals(
        "gcdiag: no root cause, rule or word is called 'deadlok'; did you mean deadlock?"
            + " 'gcdiag explain' lists them all\n",
        err.toString());
    assertEquals("", out.toString());
  }

  @Test
  void anIdNearToNothingHasNoGuess() {
    assertEquals(2, run("explain", "xyzzy"));
    assertEquals(
        "gcdiag: no root cause, rule or word is called 'xyzzy'; 'gcdiag explain' lists them all\n",
        err.toString());
  }

  @Test
  void theRootCausesWithSomeOfTheirRulesFitOnOneScreen() {
    assertEquals(0, run("rules"), err::toString);
    assertTrue(out.toString().lines().count() <= MOST_LINES, out::toString);
    for (Hypothesis cause : Hypothesis.catalogue()) {
      assertTrue(out.toString().contains("\n" + cause.id() + " "), cause.id());
    }
    assertTrue(out.toString().contains("gcdiag rules --verbose"), out::toString);
  }

  @Test
  void theRulesAreATableInWhichEveryRuleAndRootCauseStands() {
    assertEquals(0, run("rules", "--verbose"), err::toString);
    assertTrue(out.toString().contains("\n    heap-free-ratio "), out::toString);
    assertTrue(out.toString().contains("connection-pool-undersized"), out::toString);
    assertTrue(out.toString().lines().allMatch(line -> line.length() <= 100), out::toString);
  }

  @Test
  void aCrossOfTheMatrixStandsUnderTheNumberOfItsRootCause() {
    assertEquals(0, run("rules", "--verbose"), err::toString);
    List<String> lines = out.toString().lines().toList();
    String rule =
        lines.stream().filter(l -> l.startsWith("    heap-free-ratio ")).findFirst().orElseThrow();
    int number = lines.stream().filter(l -> l.contains("1 2 3 4 5")).toList().get(0).indexOf('1');
    // memory-pressure is the catalogue's first, and the only one that this rule speaks about.
    assertEquals('x', rule.charAt(number));
    assertEquals(rule.indexOf('x'), rule.lastIndexOf('x'));
  }

  @Test
  void theRulesAreMarkdownToo() {
    assertEquals(0, run("rules", "--format", "markdown"), err::toString);
    assertTrue(out.toString().contains("| **heap-free-ratio** | heap used and"), out::toString);
  }

  @Test
  void machinesReadTheRulesAsJson() throws IOException {
    assertEquals(0, run("rules", "--format", "json"), err::toString);
    JsonNode root = new ObjectMapper().readTree(out.toString());
    JsonNode rule = named(root.get("rules"), "heap-free-ratio");
    assertEquals("memory-pressure", rule.at("/judges/0").asText());
    assertEquals("heap-around-gc", rule.at("/needs/0/signal").asText());
    assertEquals("a recording, or -Xlog:gc*:file=gc.log", rule.at("/needs/0/howToRecord").asText());
    JsonNode cause = named(root.get("hypotheses"), "heap-resizing");
    assertEquals("heap-resize", cause.at("/judgedBy/0").asText());
  }

  private static JsonNode named(JsonNode nodes, String id) {
    return StreamSupport.stream(nodes.spliterator(), false)
        .filter(node -> node.get("id").asText().equals(id))
        .findFirst()
        .orElseThrow();
  }
}
