package io.gcdiag.cli.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.SampleDiagnosis;
import io.gcdiag.cli.SampleQuotes;
import io.gcdiag.cli.report.DiagnosisDocument;
import io.gcdiag.verdict.Diagnosis;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class MarkdownReportTest {

  private static String markdown(Diagnosis diagnosis) {
    return ReportFormat.MARKDOWN.render(new DiagnosisDocument(diagnosis), Look.PLAIN);
  }

  @Test
  void itHasOneTitleAndTheSectionsOfTheText() {
    String text = markdown(SampleDiagnosis.memoryPressure());
    assertTrue(text.startsWith("> Check the inputs: gc.log was read in part"), text);
    assertTrue(text.contains("\n# Primary suspect: Memory pressure"), text);
    List<String> headings = text.lines().filter(line -> line.startsWith("## ")).toList();
    assertEquals(13, headings.size(), headings.toString());
    assertEquals("## 4. Root cause", headings.get(3));
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
    assertEquals("| GC pauses, sum | 308 ms | 1.25 s | **+306 %** | recording.jfr |", rows.get(2));
  }

  @Test
  void aNameThatBeginsLikeATableAddsNoRowInAnyConverter() {
    // Converters to Jira's markup split a cell at "| |" and "||", however they are escaped.
    String text = markdown(SampleQuotes.everywhere("|a||b| |"));
    assertTrue(text.contains("&#124;a&#124;&#124;b&#124; &#124;"), text);
    List<String> rows = text.lines().filter(line -> line.startsWith("| ")).toList();
    assertFalse(rows.stream().anyMatch(row -> row.contains("|a|") || row.contains("||")), text);
  }

  @Test
  void markupInNamesIsShownAndNotObeyed() {
    String text = markdown(SampleQuotes.everywhere("a|b <script> `c` *d* [e](f) @team snake_case"));
    assertTrue(
        text.contains("a&#124;b &lt;script&gt; \\`c\\` \\*d\\* \\[e\\](f) &#64;team snake_case"),
        text);
    long cells =
        text.lines()
            .filter(line -> line.startsWith("| 1 |"))
            .findFirst()
            .orElseThrow()
            .replace("&#124;", "")
            .chars()
            .filter(c -> c == '|')
            .count();
    // Five columns have six borders.
    assertEquals(6, cells);
  }

  @Test
  void aFenceIsLongerThanWhatItHolds() {
    String text = markdown(SampleQuotes.everywhere("x ``` y"));
    assertTrue(text.contains("\n````text\nx ``` y\n````\n"), text);
  }

  @Test
  void aParagraphThatLooksLikeAListStaysAParagraph() {
    String text = markdown(SampleQuotes.everywhere("1. not a list"));
    assertTrue(text.contains("\n1\\. not a list. ("), text);
    assertFalse(text.contains("\n1. not a list. ("), text);
  }

  @Test
  void theChainIsThereAsTextAndAsADiagram() {
    String text = markdown(SampleDiagnosis.memoryPressure());
    assertTrue(text.contains("```mermaid\nflowchart TD\n  n1[\"Memory pressure: heap"), text);
    assertTrue(
        text.contains(
            "  n1 -->|\"81.0 #37; of the lost time: 308 ms of pauses became 1.25 s a minute\"| n2\n"),
        text);
  }

  @Test
  void noNameIsSyntaxInTheDiagram() {
    String text =
        markdown(SampleQuotes.everywhere("\"]; click n1 \"x\" %%{init: {}}%% ``` <b> #quot;"));
    String diagram = text.substring(text.indexOf("```mermaid"));
    String label = diagram.lines().skip(2).findFirst().orElseThrow();
    assertTrue(label.matches(" {2}n1\\[\"[A-Za-z0-9 ,.:()/+=#;-]*\"\\]"), label);
    assertTrue(label.startsWith("  n1[\"#34;#93;#59; click n1 #34;x#34; #37;#37;#123;init"), label);
  }

  @Test
  void detailsFoldAndEveryFoldIsClosed() {
    String text = markdown(SampleDiagnosis.memoryPressure());
    assertTrue(text.contains("<details>\n<summary>Evidence for row 3</summary>\n\n"), text);
    assertEquals(text.split("<details>", -1).length, text.split("</details>", -1).length);
  }

  @Test
  void aReportThatIsTooLargeLosesTheDetailsThatDoNotFitFirstAndThenItsEnd() {
    DiagnosisDocument document = new DiagnosisDocument(SampleDiagnosis.memoryPressure());
    String whole = ReportFormat.MARKDOWN.render(document, atMost(64_000));
    int bytes = whole.getBytes(StandardCharsets.UTF_8).length;
    assertEquals(whole, ReportFormat.MARKDOWN.render(document, atMost(bytes + 200)));

    String without = ReportFormat.MARKDOWN.render(document, atMost(bytes - 1));
    assertTrue(without.contains("\n> Some details are left out"), without);
    assertTrue(without.contains("## 12. What could not be seen"), without);
    assertTrue(without.contains("<details>"), "what fits stays");
    assertTrue(without.split("<details>").length < whole.split("<details>").length, without);

    String cut = ReportFormat.MARKDOWN.render(document, atMost(4096));
    assertTrue(cut.getBytes(StandardCharsets.UTF_8).length <= 4096);
    assertTrue(cut.contains("\n# Primary suspect"), cut);
    assertTrue(cut.contains("\n> Details and the last parts are left out"), cut);
    assertTrue(cut.contains("| GC pauses, sum |"), cut);
  }

  @Test
  void whatIsLeftOutIsNamedWhereItsNameSaysSomething() {
    DiagnosisDocument document = new DiagnosisDocument(SampleDiagnosis.memoryPressure());
    String cut = ReportFormat.MARKDOWN.render(document, atMost(7_600));
    assertFalse(cut.contains("<summary>Not enough data for: "), cut);
    assertTrue(cut.contains("\nNot enough data for: swapping\n"), cut);
  }

  private static Look atMost(long bytes) {
    return new Look(false, Look.USUAL, false, false, OptionalLong.of(bytes), OptionalInt.empty());
  }
}
