package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.BlockHandler;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** A report in GitHub's Markdown, to be pasted into a ticket. */
public final class MarkdownRenderer implements BlockHandler {

  private static final Pattern SPECIAL = Pattern.compile("[\\\\`*\\[\\]|~]");
  private static final Pattern EDGE_UNDERSCORE =
      Pattern.compile("(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])");
  private static final Pattern LIST_OR_HEADING = Pattern.compile("^([-+#=]|\\d+(?=[.)]))");
  private static final Pattern BACKTICKS = Pattern.compile("`+");

  private final StringBuilder text = new StringBuilder();

  private MarkdownRenderer() {}

  /** The report as Markdown. */
  public static String render(Report report) {
    MarkdownRenderer renderer = new MarkdownRenderer();
    renderer.text.append("# ").append(escape(report.title().text())).append('\n');
    report.blocks().forEach(block -> block.handTo(renderer));
    return renderer.text.toString();
  }

  @Override
  public void heading(Block.Heading heading) {
    text.append("\n## ").append(escape(heading.text())).append('\n');
  }

  @Override
  public void paragraph(Block.Paragraph paragraph) {
    text.append('\n').append(lineStart(toned(paragraph.text()))).append('\n');
  }

  @Override
  public void facts(Block.Facts facts) {
    text.append('\n');
    for (Block.Fact fact : facts.entries()) {
      text.append("- **")
          .append(escape(fact.label()))
          .append(":** ")
          .append(toned(fact.value()))
          .append('\n');
    }
  }

  @Override
  public void table(Block.Table table) {
    text.append('\n');
    row(table.columns().stream().map(column -> escape(column.title())).toList());
    row(
        table.columns().stream()
            .map(column -> column.align() == Column.Align.RIGHT ? "---:" : "---")
            .toList());
    table.rows().forEach(row -> row(row.stream().map(MarkdownRenderer::toned).toList()));
  }

  @Override
  public void chain(Block.Chain chain) {
    fenced(ChainText.lines(chain, TextRenderer.WIDTH));
  }

  @Override
  public void code(Block.Code code) {
    fenced(code.lines());
  }

  @Override
  public void bullets(Block.Bullets bullets) {
    text.append('\n');
    bullets.items().forEach(item -> text.append("- ").append(lineStart(toned(item))).append('\n'));
  }

  private void row(List<String> cells) {
    text.append(cells.stream().collect(Collectors.joining(" | ", "| ", " |\n")));
  }

  /** A fence must be longer than any run of backticks inside. */
  private void fenced(List<String> lines) {
    int longest = 2;
    for (String line : lines) {
      Matcher run = BACKTICKS.matcher(line);
      while (run.find()) {
        longest = Math.max(longest, run.group().length());
      }
    }
    String fence = "`".repeat(longest + 1);
    text.append('\n').append(fence).append("text\n");
    lines.forEach(line -> text.append(line).append('\n'));
    text.append(fence).append('\n');
  }

  private static String toned(Cell cell) {
    String escaped = escape(cell.text());
    boolean bold = cell.tone() == Tone.BAD || cell.tone() == Tone.STRONG;
    return bold && !escaped.isBlank() ? "**" + escaped.trim() + "**" : escaped;
  }

  /** Markup, HTML and mentions of people are shown, not obeyed. */
  private static String escape(String text) {
    String plain =
        EDGE_UNDERSCORE.matcher(SPECIAL.matcher(text).replaceAll("\\\\$0")).replaceAll("\\\\_");
    return plain
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("@", "&#64;");
  }

  private static String lineStart(String text) {
    Matcher matcher = LIST_OR_HEADING.matcher(text);
    if (!matcher.find()) {
      return text;
    }
    boolean number = Character.isDigit(text.charAt(0));
    return number ? matcher.group() + "\\" + text.substring(matcher.end()) : "\\" + text;
  }
}
