package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.diagnosis.Diagnosis;
import java.util.List;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {

  private static String markdown(Diagnosis diagnosis) {
    return ReportFormat.MARKDOWN.render(new DiagnosisDocument(diagnosis), false);
  }

  @Test
  void itHasOneTitleAndTheSectionsOfTheText() {
    String text = markdown(SampleDiagnosis.memoryPressure());
    assertTrue(text.startsWith("# Primary suspect: Memory pressure"), text);
    List<String> headings = text.lines().filter(line -> line.startsWith("## ")).toList();
    assertEquals(9, headings.size(), headings.toString());
    assertEquals("## 3. Root cause", headings.get(2));
  }

  @Test
  void aTableHasAHeaderAndAsManyCellsInEveryRow() {
    List<String> rows =
        markdown(SampleDiagnosis.memoryPressure())
            .lines()
            .filter(line -> line.startsWith("| "))
            .toList();
    assertEquals("| Metric | Before | During | Change | Source |", rows.get(0));
    assertEquals("| --- | ---: | ---: | ---: | --- |", rows.get(1));
    assertEquals(
        "| GC pauses, sum | 308 ms | 1.25 s | **+305.8 %** | recording.jfr |", rows.get(2));
  }

  @Test
  void markupInNamesIsShownAndNotObeyed() {
    String text = markdown(SampleDiagnosis.quoting("a|b <script> `c` *d* [e](f) @team snake_case"));
    assertTrue(
        text.contains("a\\|b &lt;script&gt; \\`c\\` \\*d\\* \\[e\\](f) &#64;team snake_case"),
        text);
    long cells =
        text.lines()
            .filter(line -> line.startsWith("| 1 |"))
            .findFirst()
            .orElseThrow()
            .replace("\\|", "")
            .chars()
            .filter(c -> c == '|')
            .count();
    // Five columns have six borders.
    assertEquals(6, cells);
  }

  @Test
  void aFenceIsLongerThanWhatItHolds() {
    String text = markdown(SampleDiagnosis.quoting("x ``` y"));
    assertTrue(text.contains("\n````text\nx ``` y\n````\n"), text);
  }

  @Test
  void aParagraphThatLooksLikeAListStaysAParagraph() {
    String text = markdown(SampleDiagnosis.quoting("1. not a list"));
    assertTrue(text.contains("\n1\\. not a list\n"), text);
    assertFalse(text.contains("\n1. not a list\n\n"), text);
  }
}
