package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.BlockHandler;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import java.util.List;
import java.util.Locale;

/** A report for a terminal or a text file, at most {@value #WIDTH} characters wide. */
public final class TextRenderer implements BlockHandler {

  /** Fits two windows side by side on a common screen, and most ticket systems. */
  public static final int WIDTH = 100;

  private static final int CODE_INDENT = 4;

  private enum Last {
    HEADING,
    PARAGRAPH,
    OTHER
  }

  private final StringBuilder text = new StringBuilder();
  private final Ansi ansi;
  private Last last = Last.HEADING;

  private TextRenderer(boolean colour) {
    this.ansi = new Ansi(colour);
  }

  /** The report as text; colours only if asked for. */
  public static String render(Report report, boolean colour) {
    TextRenderer renderer = new TextRenderer(colour);
    renderer.title(report.title());
    report.blocks().forEach(block -> block.handTo(renderer));
    return renderer.text.toString();
  }

  private void title(Cell title) {
    List<String> lines = Wrap.lines(title.text(), WIDTH);
    lines.forEach(line -> line(ansi.paint(line, title.tone())));
    line("=".repeat(lines.get(0).length()));
  }

  @Override
  public void heading(Block.Heading heading) {
    line("");
    line(ansi.paint(heading.text().toUpperCase(Locale.ROOT), Tone.STRONG));
    last = Last.HEADING;
  }

  @Override
  public void paragraph(Block.Paragraph paragraph) {
    gap(paragraph.text().tone() == Tone.MUTED);
    wrapped("", "", paragraph.text());
    last = Last.PARAGRAPH;
  }

  @Override
  public void facts(Block.Facts facts) {
    gap(false);
    int longest = facts.entries().stream().mapToInt(f -> f.label().length()).max().orElse(0);
    for (Block.Fact fact : facts.entries()) {
      String label = fact.label() + " ".repeat(longest - fact.label().length() + 2);
      wrapped(label, " ".repeat(label.length()), fact.value());
    }
    last = Last.OTHER;
  }

  @Override
  public void table(Block.Table table) {
    gap(last == Last.PARAGRAPH);
    new TextTable(table, WIDTH).lines(ansi).forEach(this::line);
    last = Last.OTHER;
  }

  @Override
  public void chain(Block.Chain chain) {
    gap(last == Last.PARAGRAPH);
    ChainText.lines(chain, WIDTH - 2).forEach(line -> line(("  " + line).stripTrailing()));
    last = Last.OTHER;
  }

  @Override
  public void code(Block.Code code) {
    gap(true);
    String indent = " ".repeat(CODE_INDENT);
    for (String line : code.lines()) {
      if (CODE_INDENT + line.length() <= WIDTH) {
        line((indent + line).stripTrailing());
      } else {
        wrapped(indent, indent + "  ", Cell.of(line));
      }
    }
    last = Last.OTHER;
  }

  @Override
  public void bullets(Block.Bullets bullets) {
    gap(last == Last.PARAGRAPH);
    bullets.items().forEach(item -> wrapped("  - ", "    ", item));
    last = Last.OTHER;
  }

  /** An empty line before a block, unless it belongs to what stands above. */
  private void gap(boolean belongsToAbove) {
    if (last != Last.HEADING && !belongsToAbove) {
      line("");
    }
  }

  private void wrapped(String first, String others, Cell cell) {
    String lead = first;
    int room = WIDTH - Math.max(first.length(), others.length());
    for (String line : Wrap.lines(cell.text(), room)) {
      line((lead + ansi.paint(line, cell.tone())).stripTrailing());
      lead = others;
    }
  }

  private void line(String line) {
    text.append(line).append('\n');
  }
}
