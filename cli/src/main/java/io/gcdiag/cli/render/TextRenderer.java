package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Block.BlockHandler;
import io.gcdiag.cli.report.Block.StackFrame;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Fact;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
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
  private Last last = Last.HEADING;
  private Optional<Block.Heading> pending = Optional.empty();

  private TextRenderer(Look look) {
    this.look = look;
    this.width = look.width();
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
    lines.forEach(line -> line(look.paint(line, title.tone())));
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
        narrow
            ? table.only(column -> !table.columns().get(column).aside())
            : look.verbose() ? ShortEvidence.inRows(table) : table;
    OpenTable.lines(shown, look).forEach(this::line);
    last = Last.OTHER;
    if (look.verbose()) {
      for (int i = 0; i < shown.folded().size(); i++) {
        unfold(table.summary(i) + ":", shown.folded().get(i));
      }
    }
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
          line(look.paint(heading.text().toUpperCase(Locale.ROOT), Tone.STRONG));
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
      line((lead + look.paint(line, cell.tone())).stripTrailing());
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

  /** Draws a causal chain: causes above, effects below, the reason on the arrow. */
  static final class ChainText {

    private static final String SHAFT = "    │";

    static List<String> lines(Block.Chain chain, int width) {
      List<String> lines = new ArrayList<>();
      String above = "";
      for (Block.Arrow arrow : chain.links()) {
        if (!arrow.from().equals(above)) {
          if (!lines.isEmpty()) {
            lines.add("");
          }
          lines.addAll(Wrap.lines(arrow.from(), width));
        }
        shaft(lines, arrow.how(), width);
        arrow.rows().forEach(row -> shaft(lines, row, width));
        lines.add("    ▼");
        lines.addAll(Wrap.lines(arrow.to(), width));
        above = arrow.to();
      }
      return lines;
    }

    private static void shaft(List<String> lines, String text, int width) {
      for (String line : Wrap.lines(text, width - SHAFT.length() - 2)) {
        lines.add((SHAFT + "  " + line).stripTrailing());
      }
    }
  }

  /** A tree of stacks as indented lines. */
  static final class StackText {

    /** Smaller frames are left to the icicle of the HTML report. */
    private static final double LEAST_SHARE = 0.05;

    /** Less would be printed as 0.0 %. */
    private static final double LEAST_PRINTED = 0.0005;

    private static final int MOST_LINES = 60;

    /** With less room a name is not worth breaking. */
    private static final int LEAST_ROOM = 24;

    /** Deeper stacks are indented no further. */
    private static final int DEEPEST = 24;

    /** As its name is written: in lower case, with the word before a class that is allocated. */
    private static final Pattern PACKAGE = Pattern.compile("\\G((?:new )?[a-z])[a-z0-9_]*\\.");

    /** Before the second line of a name that is wider than its room: it stays in its place. */
    private static final String CONTINUED = "  ";

    /** Lines of no more than so many characters, if class and method are not longer. */
    static List<String> lines(Block.Stacks stacks, int width) {
      List<String> lines = new ArrayList<>();
      boolean compares = stacks.frames().stream().anyMatch(frame -> frame.before().isPresent());
      lines.add(
          (compares ? " Before " : "") + " During  Called from the frame that is less indented");
      for (StackFrame frame : stacks.frames()) {
        if (frame.share() >= LEAST_SHARE && lines.size() <= MOST_LINES) {
          String lead =
              (compares ? share(frame.before()) + " " : "")
                  + share(OptionalDouble.of(frame.share()))
                  + "  "
                  + " ".repeat(Math.min(DEEPEST, frame.level()));
          String indent = lead;
          int room = width - lead.length();
          String name = shortened(frame.name(), room);
          boolean fits = name.length() <= room || room < LEAST_ROOM;
          for (String part : fits ? List.of(name) : Wrap.lines(name, room - CONTINUED.length())) {
            lines.add(indent + part);
            indent = " ".repeat(lead.length()) + CONTINUED;
          }
        }
      }
      return lines;
    }

    /** Abbreviates packages from the left until the name fits: {@code o.s.web.Handler.invoke}. */
    private static String shortened(String name, int room) {
      String shorter = name;
      Matcher segment = PACKAGE.matcher(name);
      StringBuilder letters = new StringBuilder();
      while (shorter.length() > room && segment.find()) {
        letters.append(segment.group(1)).append('.');
        shorter = letters + name.substring(segment.end());
      }
      return shorter;
    }

    private static String share(OptionalDouble share) {
      if (share.isEmpty()) {
        return "      -";
      }
      double value = share.getAsDouble();
      return value == 0
          ? "   none"
          : value < LEAST_PRINTED ? " <0.1 %" : String.format(Locale.ROOT, "%5.1f %%", 100 * value);
    }
  }

  /** Evidence in formats without links: the source follows in brackets. */
  static final class ShortEvidence {

    static void write(Block.Evidence evidence, BlockHandler to) {
      String statement = evidence.statement();
      to.paragraph(
          Block.Paragraph.of(statement + (statement.isEmpty() ? "" : " ") + evidence.origin()));
      if (!evidence.sums().isEmpty()) {
        to.code(new Block.Code(evidence.sums()));
      }
    }

    /** Puts short evidence into its row; longer evidence stays folded. */
    static Block.Table inRows(Block.Table table) {
      List<List<Cell>> rows = new ArrayList<>();
      List<List<Block>> folded = new ArrayList<>();
      for (int i = 0; i < table.folded().size(); i++) {
        List<Cell> row = new ArrayList<>(table.rows().get(i));
        Cell key = row.get(row.size() - 1);
        Optional<String> more = inLine(table.folded().get(i));
        String link =
            table.folded().get(i).stream().anyMatch(Block.Evidence.class::isInstance) ? " " : ". ";
        more.ifPresent(text -> row.set(row.size() - 1, key.saying(key.text() + link + text)));
        rows.add(row);
        folded.add(more.isPresent() ? List.of() : table.folded().get(i));
      }
      return folded.isEmpty()
          ? table
          : new Block.Table(table.columns(), rows, folded, table.layout(), table.unfolding());
    }

    /** Evidence too short for a paragraph of its own. */
    static Optional<String> inLine(List<Block> blocks) {
      if (blocks.size() != 1) {
        return Optional.empty();
      }
      if (blocks.get(0) instanceof Block.Evidence evidence) {
        return evidence.statement().isEmpty() && evidence.sums().isEmpty()
            ? Optional.of(evidence.origin())
            : Optional.empty();
      }
      return blocks.get(0) instanceof Block.Paragraph paragraph
          ? Optional.of(paragraph.text().text())
          : Optional.empty();
    }
  }
}
