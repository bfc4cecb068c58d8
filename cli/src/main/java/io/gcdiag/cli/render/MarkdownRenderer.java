package io.gcdiag.cli.render;

import io.gcdiag.cli.render.TextRenderer.ChainText;
import io.gcdiag.cli.render.TextRenderer.ShortEvidence;
import io.gcdiag.cli.render.TextRenderer.StackText;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Block.BlockHandler;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Fact;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A report to be pasted into a ticket, in GitHub's Markdown or the markup of another tracker. */
final class MarkdownRenderer implements BlockHandler {

  /** Half of Jira's limit; a ticket stays readable without much scrolling. */
  private static final int USUAL_BYTES = 16_000;

  private static final String NO_DETAILS =
      "Some details are left out to keep this report small: --max-size sets how large it may be,"
          + " and an HTML report holds all of them.";
  private static final String CUT =
      "Details and the last parts are left out to keep this report small. An HTML or JSON report"
          + " holds them.";

  private final Markup markup;
  private final Markup.Marks marks;
  private final StringBuilder text = new StringBuilder();

  /** Bytes left for folded details. */
  private long room;

  private boolean isInFold;
  private boolean isAllShown = true;

  private MarkdownRenderer(Markup markup, long room) {
    this.markup = markup;
    this.marks = markup.marks();
    this.room = room;
  }

  /**
   * The report in that language. If it is larger than may be, those details are left out that do
   * not fit any more, and if that is not enough for a limit that was asked for, the last parts; the
   * report says so. Where less than half would be left it is the first screen instead.
   */
  static String render(Markup markup, Report report, Report brief, Look look) {
    long most = look.mostBytes().orElse(USUAL_BYTES);
    MarkdownRenderer bare = new MarkdownRenderer(markup, 0);
    String opening = opening(markup, report);
    String without = bare.body(report, Long.MAX_VALUE);
    if (bare.isAllShown && bytes(opening + without) <= most) {
      return opening + without;
    }
    String noDetails = note(markup, NO_DETAILS);
    long room = most - bytes(opening + noDetails + without);
    if (room < 0 && look.mostBytes().isPresent()) {
      String cut = note(markup, CUT);
      boolean little = most < bytes(opening + without) / 2;
      return opening
          + new MarkdownRenderer(markup, 0)
              .body(little ? brief : report, most - bytes(opening + cut))
          + cut;
    }
    MarkdownRenderer renderer = new MarkdownRenderer(markup, room);
    String body = renderer.body(report, Long.MAX_VALUE);
    return opening + body + (renderer.isAllShown ? "" : noDetails);
  }

  private static String note(Markup markup, String text) {
    return "\n" + markup.marks().quote() + text + "\n";
  }

  private static String opening(Markup markup, Report report) {
    return report.doubts().stream()
            .map(doubt -> markup.marks().quote() + toned(markup, doubt) + "\n\n")
            .collect(Collectors.joining())
        + markup.marks().title()
        + markup.escape(report.title().text())
        + "\n";
  }

  /** All blocks, or the first of them that fit. */
  private String body(Report report, long most) {
    for (Block block : report.blocks()) {
      int before = text.length();
      block.handTo(this);
      if (bytes(text.toString()) > most) {
        text.setLength(before);
        break;
      }
    }
    return text.toString();
  }

  private static long bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  @Override
  public void heading(Block.Heading heading) {
    text.append('\n').append(marks.heading()).append(escape(heading.text())).append('\n');
  }

  @Override
  public void paragraph(Block.Paragraph paragraph) {
    text.append('\n').append(markup.lineStart(toned(paragraph.text()))).append('\n');
  }

  @Override
  public void facts(Block.Facts facts) {
    text.append('\n');
    for (Fact fact : facts.entries()) {
      text.append(marks.bullet())
          .append(bold(marks, escape(fact.label()) + ":"))
          .append(' ')
          .append(fact.values().stream().map(this::toned).collect(Collectors.joining("; ")))
          .append('\n');
    }
  }

  @Override
  public void table(Block.Table whole) {
    Block.Table table = ShortEvidence.inRows(whole);
    text.append('\n');
    text.append(markup.head(table.columns()));
    table.rows().forEach(row -> text.append(markup.row(row.stream().map(this::toned).toList())));
    for (int i = 0; i < table.folded().size(); i++) {
      List<Block> rest = table.folded().get(i);
      if (!rest.isEmpty()) {
        fold(table.summary(i), () -> rest.forEach(block -> block.handTo(this)), "");
      }
    }
  }

  @Override
  public void chain(Block.Chain chain) {
    fenced("text", ChainText.lines(chain, Look.USUAL));
    if (marks.draws()) {
      fold("The same as a diagram", () -> fenced("mermaid", MermaidText.lines(chain)), "");
    }
  }

  /** The facts have the same content. */
  @Override
  public void overview(Block.Overview overview) {}

  @Override
  public void code(Block.Code code) {
    fenced("text", code.lines());
  }

  @Override
  public void bullets(Block.Bullets bullets) {
    text.append('\n');
    bullets
        .items()
        .forEach(
            item -> text.append(marks.bullet()).append(markup.lineStart(toned(item))).append('\n'));
  }

  @Override
  public void evidence(Block.Evidence evidence) {
    ShortEvidence.write(evidence, this);
  }

  /** Omitted details are named if their title is meaningful on its own. */
  @Override
  public void details(Block.Details details) {
    String summary = details.summary().text();
    fold(
        summary,
        () -> details.blocks().forEach(block -> block.handTo(this)),
        details.telling() ? "\n" + markup.lineStart(escape(summary)) + "\n" : "");
  }

  /**
   * Folded details.
   *
   * @param instead what stands there if there is no room for it
   */
  private void fold(String summary, Runnable content, String instead) {
    int before = text.length();
    boolean outermost = !isInFold;
    isInFold = true;
    text.append('\n').append(marks.fold()).append(escape(summary)).append(marks.folded());
    content.run();
    text.append(marks.unfold());
    if (outermost) {
      isInFold = false;
      long more = bytes(text.substring(before)) - bytes(instead);
      if (more <= room) {
        room -= more;
      } else {
        text.setLength(before);
        text.append(instead);
        isAllShown = false;
      }
    }
  }

  @Override
  public void stacks(Block.Stacks stacks) {
    fold(
        stacks.title() + ", " + stacks.total(),
        () -> fenced("text", StackText.lines(stacks, Look.USUAL)),
        "");
  }

  @Override
  public void charts(Block.Charts charts) {
    fenced("text", SparkText.lines(charts, Look.USUAL, false));
  }

  private void fenced(String language, List<String> lines) {
    text.append('\n').append(markup.code(language, lines));
  }

  private static String bold(Markup.Marks marks, String escaped) {
    return marks.bold() + escaped + marks.bold();
  }

  private String toned(Cell cell) {
    return toned(markup, cell);
  }

  private static String toned(Markup markup, Cell cell) {
    String escaped = markup.escape(cell.text());
    boolean bold = cell.tone() == Tone.BAD || cell.tone() == Tone.STRONG;
    return bold && !escaped.isBlank() ? bold(markup.marks(), escaped.trim()) : escaped;
  }

  private String escape(String text) {
    return markup.escape(text);
  }

  /** GitHub's Markdown, which GitLab reads as well. */
  static final class GitHub implements Markup {

    private static final Pattern SPECIAL = Pattern.compile("[\\\\`*\\[\\]~]");
    private static final Pattern EDGE_UNDERSCORE =
        Pattern.compile("(?<![\\p{L}\\p{N}])_|_(?![\\p{L}\\p{N}])");
    private static final Pattern LIST_OR_HEADING = Pattern.compile("^([-+#=]|\\d+(?=[.)](\\s|$)))");
    private static final Pattern BACKTICKS = Pattern.compile("`+");

    @Override
    public String escape(String text) {
      String plain =
          EDGE_UNDERSCORE.matcher(SPECIAL.matcher(text).replaceAll("\\\\$0")).replaceAll("\\\\_");
      return plain
          .replace("&", "&amp;")
          .replace("<", "&lt;")
          .replace(">", "&gt;")
          .replace("@", "&#64;")
          // Not "\\|": converters to Jira's markup read it as the end of a row.
          .replace("|", "&#124;");
    }

    @Override
    public String lineStart(String text) {
      Matcher matcher = LIST_OR_HEADING.matcher(text);
      if (!matcher.find()) {
        return text;
      }
      boolean number = Character.isDigit(text.charAt(0));
      return number ? matcher.group() + "\\" + text.substring(matcher.end()) : "\\" + text;
    }

    /** Markdown inside of HTML needs empty lines around it. */
    @Override
    public Marks marks() {
      return new Marks(
          "# ",
          "## ",
          "> ",
          "- ",
          "**",
          "<details>\n<summary>",
          "</summary>\n",
          "\n</details>\n",
          true);
    }

    @Override
    public String head(List<Column> columns) {
      return row(columns.stream().map(column -> escape(column.title())).toList())
          + row(
              columns.stream()
                  .map(column -> column.align() == Column.Align.RIGHT ? "---:" : "---")
                  .toList());
    }

    @Override
    public String row(List<String> cells) {
      return cells.stream().collect(Collectors.joining(" | ", "| ", " |\n"));
    }

    /** A fence must be longer than any run of backticks inside. */
    @Override
    public String code(String language, List<String> lines) {
      int longest =
          lines.stream()
              .flatMap(line -> BACKTICKS.matcher(line).results())
              .mapToInt(run -> run.group().length())
              .reduce(2, Math::max);
      String fence = "`".repeat(longest + 1);
      return lines.stream()
          .map(line -> line + "\n")
          .collect(Collectors.joining("", fence + language + "\n", fence + "\n"));
    }
  }

  /** A causal chain as a Mermaid flow chart, which GitHub and GitLab draw. */
  static final class MermaidText {

    /** All other characters could be syntax and are written as entities. */
    private static final String PLAIN = " ,.:()/+-=";

    static List<String> lines(Block.Chain chain) {
      Map<String, String> ids = new LinkedHashMap<>();
      List<String> arrows = new ArrayList<>();
      for (Block.Arrow arrow : chain.links()) {
        String from = ids.computeIfAbsent(arrow.from(), text -> "n" + (ids.size() + 1));
        String to = ids.computeIfAbsent(arrow.to(), text -> "n" + (ids.size() + 1));
        String how =
            Stream.concat(Stream.of(arrow.how()), arrow.rows().stream())
                .map(MermaidText::escape)
                .collect(Collectors.joining("<br/>"));
        arrows.add("  " + from + " -->|\"" + how + "\"| " + to);
      }
      List<String> lines = new ArrayList<>();
      lines.add("flowchart TD");
      ids.forEach((text, id) -> lines.add("  " + id + "[\"" + escape(text) + "\"]"));
      lines.addAll(arrows);
      return lines;
    }

    private static String escape(String text) {
      return text.codePoints().mapToObj(MermaidText::escape).collect(Collectors.joining());
    }

    private static String escape(int c) {
      boolean plain = c < 0x80 && Character.isLetterOrDigit(c) || PLAIN.indexOf(c) >= 0;
      return plain ? Character.toString(c) : "#" + c + ";";
    }
  }

  /** How the markup language of a ticket writes the parts of a report. */
  interface Markup {

    /** Text without what the language would take for markup, a mention or HTML. */
    String escape(String text);

    /** The same where it begins a line. */
    String lineStart(String escaped);

    Marks marks();

    String head(List<Column> columns);

    String row(List<String> cells);

    String code(String language, List<String> lines);

    /**
     * What stands around texts. Where the language cannot fold, details follow their summary.
     *
     * @param title before the title, as {@code heading}, {@code quote} and {@code bullet} are
     *     before theirs
     * @param bold before and after
     * @param fold before the summary of folded details
     * @param folded between summary and details
     * @param unfold after the details
     * @param draws whether it draws Mermaid diagrams
     */
    record Marks(
        String title,
        String heading,
        String quote,
        String bullet,
        String bold,
        String fold,
        String folded,
        String unfold,
        boolean draws) {}

    /**
     * Jira's wiki markup, which Confluence reads as well. It has no folds: details follow a title.
     */
    final class Jira implements Markup {

      private static final Pattern SPECIAL = Pattern.compile("[\\\\{}\\[\\]|*_~^!@]");

      /** Strikes out, underlines or becomes a dash, except inside of a word or before a blank. */
      private static final Pattern SIGN = Pattern.compile("(?<![\\p{L}\\p{N}])[-+](?=\\S)");

      /** Becomes a picture. */
      private static final Pattern SMILEY = Pattern.compile("\\((?=[xyni!/?+*-]\\))");

      private static final Pattern LIST = Pattern.compile("^(?=[#])");
      private static final String FENCE = "{noformat}";

      @Override
      public Marks marks() {
        return new Marks("h1. ", "h2. ", "bq. ", "* ", "*", "*", "*\n", "", false);
      }

      @Override
      public String escape(String text) {
        String plain = SPECIAL.matcher(text).replaceAll("\\\\$0");
        return SMILEY
            .matcher(SIGN.matcher(plain).replaceAll("\\\\$0"))
            .replaceAll("\\\\(")
            .replace("??", "?\\?");
      }

      @Override
      public String lineStart(String escaped) {
        return LIST.matcher(escaped).replaceFirst("\\\\");
      }

      @Override
      public String head(List<Column> columns) {
        return columns.stream()
            .map(column -> filled(escape(column.title())))
            .collect(Collectors.joining("||", "||", "||\n"));
      }

      @Override
      public String row(List<String> cells) {
        return cells.stream().map(Jira::filled).collect(Collectors.joining("|", "|", "|\n"));
      }

      /** An empty cell would be taken for the border of a heading. */
      private static String filled(String cell) {
        return cell.isBlank() ? " " : cell;
      }

      @Override
      public String code(String language, List<String> lines) {
        return lines.stream()
            .map(line -> line.replace(FENCE, "{ noformat}") + "\n")
            .collect(Collectors.joining("", FENCE + "\n", FENCE + "\n"));
      }
    }
  }
}
