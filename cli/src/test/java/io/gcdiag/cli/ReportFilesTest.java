package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where reports go, and what they must not replace. */
class ReportFilesTest extends CommandRuns {

  @Test
  void reportsGoToTheFilesNamedInTheFormatsTheirNamesSay() throws Exception {
    Path text = folder.resolve("r.txt");
    Path json = folder.resolve("r.json");
    Path output = folder.resolve("out");
    Outcome outcome =
        run(
            "analyze",
            "a.jfr",
            "--format",
            "markdown",
            "--output",
            output.toString(),
            "--report",
            text.toString(),
            "--report",
            json.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertEquals("", outcome.out());
    assertTrue(Files.readString(output).contains("\n# Primary suspect"));
    assertTrue(Files.readString(text).contains("\nPrimary suspect"));
    assertTrue(Files.readString(json).startsWith("{"));
    try (var files = Files.list(folder)) {
      assertEquals(3, files.count());
    }
  }

  @Test
  void theEndingOfTheOutputGivesItsFormat() throws Exception {
    Path page = folder.resolve("rca.html");
    Outcome outcome = run("analyze", "a.jfr", "--output", page.toString());
    assertEquals(0, outcome.code(), outcome.err());
    assertTrue(Files.readString(page).startsWith("<!doctype html>"));
    assertFalse(outcome.err().contains("rca.html"), outcome.err());
    Path unknown = folder.resolve("rca.report");
    run("analyze", "a.jfr", "--output", unknown.toString());
    assertTrue(Files.readString(unknown).contains("\nPrimary suspect"));
    Path json = folder.resolve("pool.json");
    run("littles-law", "--rps", "1000", "--hold", "1ms", "--output", json.toString());
    assertTrue(Files.readString(json).startsWith("{"));
  }

  @Test
  void aFormatThatIsAskedForIsStrongerThanTheEndingAndSaysSo() throws Exception {
    Path page = folder.resolve("rca.html");
    Outcome outcome = run("rules", "--output", page.toString(), "--format", "md");
    assertEquals(
        "gcdiag: "
            + page
            + " is written as markdown, as --format says; its ending stands for html\n",
        outcome.err());
    assertTrue(Files.readString(page).startsWith("# "));
    Outcome quiet =
        run("analyze", "a", "--output", page.toString(), "--format", "md", "--force", "--quiet");
    assertEquals("", quiet.err());
    Outcome same = run("rules", "--output", page.toString(), "--format", "html", "--force");
    assertEquals("", same.err());
  }

  @Test
  void anEndingThatTheCommandCannotWriteIsRefused() {
    Path junit = folder.resolve("rules.xml");
    assertFails(
        2,
        "gcdiag: "
            + junit
            + " means junit, which is for answers that pass or fail: analyze and slo",
        run("rules", "--output", junit.toString()));
  }

  @Test
  void anInputIsNeverOverwritten() throws Exception {
    Path input = Files.writeString(folder.resolve("gc.txt"), "data");
    for (String option : new String[] {"--output", "--report"}) {
      for (Path named : new Path[] {input, folder}) {
        Outcome outcome = run("analyze", named.toString(), option, input.toString());
        assertEquals(2, outcome.code());
        assertTrue(outcome.err().contains("it is an input; name another file"), outcome.err());
      }
    }
    assertEquals("data", Files.readString(input));
  }

  @Test
  void aFileThatIsThereIsReplacedOnlyByForce() throws Exception {
    Path report = Files.writeString(folder.resolve("rca.md"), "of yesterday");
    for (String option : new String[] {"--output", "--report"}) {
      Outcome outcome = run("analyze", "a.jfr", option, report.toString());
      assertEquals(2, outcome.code());
      assertEquals(
          "gcdiag: "
              + report
              + " is there already; name another file, or replace it with --force\n",
          outcome.err());
      assertEquals("of yesterday", Files.readString(report));
    }
    assertEquals(0, run("analyze", "a.jfr", "--report", report.toString(), "--force").code());
    assertTrue(Files.readString(report).contains("\n# Primary suspect"));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(report), files.toList());
    }
  }

  @Test
  void oneFileCannotHoldTwoReports() {
    String file = folder.resolve("rca.md").toString();
    Outcome outcome = run("analyze", "a.jfr", "--report", file, "--report", file);
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("is named twice"), outcome.err());
  }

  @Test
  void aFolderIsNoPlaceToWriteAReportTo() {
    Outcome outcome = run("analyze", "a.jfr", "--output", folder.toString());
    assertEquals(2, outcome.code());
    assertTrue(outcome.err().contains("is a folder"), outcome.err());
  }
}
