package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.BlockHandler;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Fact;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** A report for a terminal or a text file, no wider than asked for. */
public final class TextRenderer implements BlockHandler {

  private static final int CODE_INDENT = 4;

  private enum Last {
    HEADING,
    PARAGRAPH,
    LINE,
    OTHER
  }

  private final StringBuilder text = new StringBuilder();
  private final Look look;
  private final int width;
  private final Ansi ansi;
  private Last last = Last.HEADING;
  private Optional<Block.Heading> pending = Optional.empty();

  private TextRenderer(Look look) {
    this.look = look;
    this.width = look.width();
    this.ansi = new Ansi(look.colour());
  }

  public static String render(Report report, Look look) {
    TextRenderer renderer = new TextRenderer(look);
    renderer.doubts(report.doubts());
    renderer.title(report.title());
    report.blocks().forEach(block -> block.handTo(renderer));
    String text = renderer.text.toString();
    return look.ascii() ? Ascii.of(text) : text;
  }

  /** Doubts about the inputs precede the answer, which depends on the inputs. */
  private void doubts(List<Cell> doubts) {
    doubts.forEach(doubt -> wrapped("", "  ", doubt));
    if (!doubts.isEmpty()) {
      line("");
    }
  }

  private void title(Cell title) {
    List<String> lines = Wrap.lines(title.text(), width);
    lines.forEach(line -> line(ansi.paint(line, title.tone())));
    line("=".repeat(lines.get(0).length()));
  }

  /** A heading is written with its first block, since all blocks below it may be left out. */
  @Override
  public void heading(Block.Heading heading) {
    pending = Optional.of(heading);
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
    for (Fact fact : facts.entries()) {
      String label = fact.label() + " ".repeat(longest - fact.label().length() + 2);
      for (Cell value : fact.values()) {
        wrapped(label, " ".repeat(label.length()), value);
        label = " ".repeat(label.length());
      }
    }
    last = Last.OTHER;
  }

  @Override
  public void table(Block.Table table) {
    gap(last == Last.PARAGRAPH && table.ruled());
    boolean narrow = width < Look.USUAL && !look.verbose();
    Block.Table shown =
        narrow ? withoutAsides(table) : look.verbose() ? ShortEvidence.inRows(table) : table;
    OpenTable.lines(shown, width, ansi).forEach(this::line);
    last = Last.OTHER;
    if (look.verbose()) {
      for (int i = 0; i < shown.folded().size(); i++) {
        unfold(table.summary(i) + ":", shown.folded().get(i));
      }
    }
  }

  private static Block.Table withoutAsides(Block.Table table) {
    return table.only(column -> !table.columns().get(column).aside());
  }

  @Override
  public void chain(Block.Chain chain) {
    gap(last == Last.PARAGRAPH);
    ChainText.lines(chain, width - 2).forEach(line -> line(("  " + line).stripTrailing()));
    last = Last.OTHER;
  }

  /** The facts have the same content. */
  @Override
  public void overview(Block.Overview overview) {}

  @Override
  public void code(Block.Code code) {
    gap(true);
    String indent = " ".repeat(CODE_INDENT);
    for (String line : code.lines()) {
      if (CODE_INDENT + line.length() <= width) {
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

  @Override
  public void evidence(Block.Evidence evidence) {
    ShortEvidence.write(evidence, this);
  }

  /** Details are reduced to their summary without --verbose. */
  @Override
  public void details(Block.Details details) {
    if (look.verbose()) {
      unfold(details.title() + ":", details.blocks());
    } else if (details.telling()) {
      paragraph(Block.Paragraph.muted(details.summary().text() + ": see --verbose"));
    }
  }

  private void unfold(String summary, List<Block> blocks) {
    Optional<String> line = ShortEvidence.inLine(blocks);
    if (line.isPresent()) {
      gap(last == Last.LINE);
      wrapped("", "  ", new Cell(summary + " " + line.get(), Tone.MUTED));
      last = Last.LINE;
    } else if (!blocks.isEmpty()) {
      // Evidence without a statement begins with where it was read.
      boolean joined = !lead(blocks.get(0)).isEmpty();
      paragraph(Block.Paragraph.of(joined ? summary + " " + lead(blocks.get(0)) : summary));
      last = Last.HEADING;
      for (Block block : blocks) {
        if (joined && block == blocks.get(0)) {
          code(new Block.Code(((Block.Evidence) block).sums()));
        } else {
          block.handTo(this);
        }
      }
    }
  }

  private static String lead(Block block) {
    return block instanceof Block.Evidence evidence && evidence.statement().isEmpty()
        ? evidence.origin()
        : "";
  }

  /** Hundreds of frames are for the verbose report. */
  @Override
  public void stacks(Block.Stacks stacks) {
    if (look.verbose()) {
      paragraph(Block.Paragraph.of(stacks.title() + ", " + stacks.total() + ":"));
      code(new Block.Code(StackText.lines(stacks, width - CODE_INDENT)));
    }
  }

  @Override
  public void charts(Block.Charts charts) {
    gap(false);
    SparkText.lines(charts, width, look.verbose()).forEach(this::line);
    last = Last.OTHER;
  }

  /** An empty line before a block, unless it continues the previous one. */
  private void gap(boolean belongsToAbove) {
    pending.ifPresent(
        heading -> {
          pending = Optional.empty();
          line("");
          line(ansi.paint(heading.text().toUpperCase(Locale.ROOT), Tone.STRONG));
          last = Last.HEADING;
        });
    if (last != Last.HEADING && !belongsToAbove) {
      line("");
    }
  }

  private void wrapped(String first, String others, Cell cell) {
    String lead = first;
    int room = width - Math.max(first.length(), others.length());
    for (String line : Wrap.lines(cell.text(), room)) {
      line((lead + ansi.paint(line, cell.tone())).stripTrailing());
      lead = others;
    }
  }

  private void line(String line) {
    text.append(line).append('\n');
  }

  /**
   * Text in ASCII, for terminals and tickets that show nothing else; keeps the width of drawings.
   */
  private static final class Ascii {

    private static final Pattern ACCENTS = Pattern.compile("\\p{M}");

    /** What is drawn, and below it what stands for it. */
    private static final String DRAWN = "│─┌┬┐├┼┤└┴┘═▼≤▁▂▃▄▅▆▇█";

    private static final String PLAIN = "|-+++++++++=v<_.:-=+*#";

    static String of(String text) {
      StringBuilder ascii = new StringBuilder(text.length());
      text.codePoints().forEach(c -> ascii.append(of(c)));
      return ascii.toString();
    }

    private static char of(int codePoint) {
      if (codePoint < 0x80) {
        return (char) codePoint;
      }
      int drawn = DRAWN.indexOf(codePoint);
      if (drawn >= 0) {
        return PLAIN.charAt(drawn);
      }
      String bare =
          ACCENTS
              .matcher(Normalizer.normalize(Character.toString(codePoint), Normalizer.Form.NFD))
              .replaceAll("");
      return bare.length() == 1 && bare.charAt(0) < 0x80 ? bare.charAt(0) : '?';
    }
  }
}
