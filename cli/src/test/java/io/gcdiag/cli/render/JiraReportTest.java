package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.render.MarkdownRenderer.Markup;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.cli.report.Report;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What Jira's documentation of its wiki markup says, by hand. */
class JiraReportTest {

  private static final Look SMALL =
      new Look(false, Look.USUAL, false, false, OptionalLong.of(4_000), OptionalInt.empty());

  private static String render(long most) {
    return ReportFormat.JIRA.render(
        new DiagnosisDocument(SampleDiagnosis.memoryPressure()),
        new Look(false, Look.USUAL, false, false, OptionalLong.of(most), OptionalInt.empty()));
  }

  @Test
  void headingsFactsTablesAndCodeAreWikiMarkup() {
    String report = render(64_000);
    List<String> lines = report.lines().toList();
    assertTrue(
        lines.contains("h1. Primary suspect: Memory pressure: heap too small for its live set"));
    assertTrue(lines.contains("h2. 1. Problem"), report);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("* *Do first:* ")), report);
    assertTrue(lines.stream().anyMatch(line -> line.startsWith("||Metric||")), report);
    assertEquals(0, lines.stream().filter("{noformat}"::equals).count() % 2);
    assertFalse(report.contains("<details>"), report);
    assertFalse(report.contains("**"), report);
    assertFalse(report.contains("mermaid"), report);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '#',
      value = {
        "-Xms2g -Xmx2g # \\-Xms2g \\-Xmx2g",
        "--verbose # \\-\\-verbose",
        "3.3 ms -> 153 ms # 3.3 ms \\-> 153 ms",
        "connection-pool-undersized # connection-pool-undersized",
        "+413 % # \\+413 %",
        "byte[] by a.B$C.<init> # byte\\[\\] by a.B$C.<init>",
        "{color:red}[~all]!x! # \\{color:red\\}\\[\\~all\\]\\!x\\!",
        "a|b *c* _d_ # a\\|b \\*c\\* \\_d\\_",
      })
  void whatWouldBeMarkupIsEscaped(String text, String escaped) {
    assertEquals(escaped, new Markup.Jira().escape(text));
  }

  @Test
  void codeCannotEndItsBlock() {
    String code = new Markup.Jira().code("text", List.of("{noformat}*bold*"));
    assertEquals("{noformat}\n{ noformat}*bold*\n{noformat}\n", code);
  }

  /** ServiceNow takes 4,000 characters. */
  @Test
  void aSmallTicketHoldsTheAnswerAndTheCauses() {
    for (ReportFormat format : List.of(ReportFormat.JIRA, ReportFormat.MARKDOWN)) {
      String report = format.render(new DiagnosisDocument(SampleDiagnosis.memoryPressure()), SMALL);
      assertTrue(report.getBytes(StandardCharsets.UTF_8).length <= 4_000, report);
      assertTrue(report.contains("Do first"), report);
      assertTrue(report.contains("|connection-pool-undersized|") || format != ReportFormat.JIRA);
    }
  }

  @Test
  void ofWhatIsMuchTooLargeTheFirstScreenIsLeft() {
    Block paragraph = Block.Paragraph.of("0123456789 ".repeat(100));
    Report whole = new Report(Cell.of("Title"), Collections.nCopies(20, paragraph));
    Report brief = new Report(Cell.of("Title"), List.of(Block.Paragraph.of("In short")));
    String report = MarkdownRenderer.render(new Markup.Jira(), whole, brief, SMALL);
    assertTrue(report.startsWith("h1. Title\n\nIn short\n\nbq. "), report);
    Report twice = new Report(Cell.of("Title"), Collections.nCopies(5, paragraph));
    String half = MarkdownRenderer.render(new Markup.Jira(), twice, brief, SMALL);
    assertTrue(half.startsWith("h1. Title\n\n0123456789 "), half);
  }
}
