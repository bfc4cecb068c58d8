package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.cli.manual.Manual;
import io.gcdiag.cli.manual.Manual.Topic;
import io.gcdiag.cli.render.Look;
import io.gcdiag.cli.render.TextRenderer;
import io.gcdiag.cli.report.PageDocument.MarkdownBlocks;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/** Pages of the manual as blocks of a report. */
class MarkdownBlocksTest {

  private static List<Block> blocks(String page) {
    return MarkdownBlocks.of("# title\n\n" + page);
  }

  private static String text(String page) {
    Block only = blocks(page).get(0);
    assertEquals(1, blocks(page).size(), page);
    return ((Block.Paragraph) only).text().text();
  }

  @Test
  void aParagraphIsOneTextWithoutMarks() {
    assertEquals("Seen. All of it.", text("**Seen.** All\nof `it`.\n"));
  }

  @Test
  void aLinkLeavesTheIdOfItsPage() {
    assertEquals("see pool-wait", text("see [pool-wait](pool-wait.md)"));
    assertEquals(
        "causes (collection-cause)", text("[causes](../rules/collection-cause.md#how-it-judges)"));
    assertEquals("a site", text("[a site](https://example.org/)"));
  }

  @Test
  void headingsOfAllLevelsAreHeadings() {
    assertEquals(List.of(new Block.Heading("What it does")), blocks("## What it does\n"));
    assertEquals(List.of(new Block.Heading("Detail")), blocks("### Detail\n"));
  }

  @Test
  void anItemGoesOnOnIndentedLines() {
    assertEquals(
        List.of(new Block.Bullets(List.of(Cell.of("one and more"), Cell.of("two")))),
        blocks("- one\n  and more\n- two\n"));
  }

  @Test
  void stepsKeepTheirNumbers() {
    assertEquals(
        List.of(new Block.Facts(List.of(Fact.of("1.", "first and more"), Fact.of("2.", "second")))),
        blocks("1. first\n   and more\n2. second\n"));
  }

  @Test
  void aListEndsBeforeAParagraph() {
    assertEquals(
        List.of(new Block.Bullets(List.of(Cell.of("one"))), Block.Paragraph.of("Then this.")),
        blocks("- one\nThen this.\n"));
  }

  @Test
  void aTableHasItsColumnsAndSides() {
    assertEquals(
        List.of(
            new Block.Table(
                List.of(Column.words("what"), Column.numbers("n")),
                List.of(
                    List.of(Cell.of("a|b"), Cell.of("1")), List.of(Cell.of("c"), Cell.of(""))))),
        blocks("| `what` | n |\n|---|---:|\n| a\\|b | 1 |\n| c |\n"));
  }

  @Test
  void aQuotationIsInQuotes() {
    assertEquals("\"600 waits; 100 %\"", text("> 600 waits;\n> 100 %\n"));
  }

  @Test
  void codeStaysAsItIs() {
    Block.Code code = new Block.Code(List.of("10/s x `120 ms`", "  = 1.2"));
    assertEquals(List.of(code), blocks("    10/s x `120 ms`\n      = 1.2\n"));
    assertEquals(List.of(code), blocks("```text\n10/s x `120 ms`\n  = 1.2\n```\n"));
  }

  @Test
  void noPageLeavesMarksOrLongLines() {
    for (Topic topic : Manual.topics()) {
      String shown = TextRenderer.render(PageDocument.of(topic), Look.PLAIN);
      for (String mark : List.of("](", "**", "`", "\n#", "|---", "\\|")) {
        assertFalse(shown.contains(mark), () -> topic.id() + " shows '" + mark + "':\n" + shown);
      }
      shown
          .lines()
          .forEach(line -> assertFalse(line.length() > Look.USUAL, topic.id() + ": " + line));
    }
  }

  @Test
  void noSectionOfAPageIsLost() {
    for (Topic topic : Manual.topics()) {
      String shown = TextRenderer.render(PageDocument.of(topic), Look.PLAIN);
      Manual.page(topic)
          .lines()
          .filter(line -> line.startsWith("## "))
          .map(line -> "\n" + line.substring(3).toUpperCase(Locale.ROOT) + "\n")
          .forEach(
              heading -> assertTrue(shown.contains(heading), topic.id() + " lacks " + heading));
    }
  }
}
