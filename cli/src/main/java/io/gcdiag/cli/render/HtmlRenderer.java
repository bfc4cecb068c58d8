package io.gcdiag.cli.render;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Block.BlockHandler;
import io.gcdiag.cli.report.Block.StackFrame;
import io.gcdiag.cli.report.Cell;
import io.gcdiag.cli.report.Cell.Spot;
import io.gcdiag.cli.report.Column;
import io.gcdiag.cli.report.Fact;
import io.gcdiag.cli.report.Plot;
import io.gcdiag.cli.report.Report;
import io.gcdiag.cli.report.Tone;
import io.gcdiag.units.Ratio;
import io.gcdiag.units.ResourceText;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A report for browsers, in one file that needs nothing else. It is written a part after another: a
 * page of many services is not held in memory.
 */
final class HtmlRenderer implements BlockHandler {

  private static final String NO_CHARTS = "{\"charts\":[]}";

  private final Writer out;

  /** Markup not written to the output yet. */
  private final StringBuilder html = new StringBuilder();

  private final List<String> headings;
  private String chartData = NO_CHARTS;
  private boolean inSection;
  private int sections;
  private int tables;

  private HtmlRenderer(Writer out, List<String> headings) {
    this.out = out;
    this.headings = headings;
  }

  /** The page; {@code json} is the same report for machines and part of the page. */
  static String render(Report report, JsonNode json) {
    StringWriter page = new StringWriter();
    write(report, json, page);
    return page.toString();
  }

  /**
   * Writes the same.
   *
   * @throws UncheckedIOException if it cannot be written
   */
  static void write(Report report, JsonNode json, Writer out) {
    List<String> headings =
        report.blocks().stream()
            .filter(Block.Heading.class::isInstance)
            .map(block -> HtmlText.escape(((Block.Heading) block).text()))
            .toList();
    HtmlRenderer renderer = new HtmlRenderer(out, headings);
    renderer.html.append(HtmlPage.begin(report.title().text()));
    renderer.html.append("<a class=\"skip\" href=\"#report\">Skip to the report</a>\n<header>\n");
    renderer.html.append(doubts(report)).append("<h1 class=\"");
    renderer.html.append(tone(report.title().tone())).append("\">");
    renderer.html.append(HtmlText.prose(report.title().text()));
    renderer.html.append("</h1>\n</header>\n<main id=\"report\">\n");
    for (Block block : report.blocks()) {
      block.handTo(renderer);
      renderer.flush();
    }
    renderer.endSection();
    renderer.html.append("</main>\n");
    renderer.html.append(HtmlPage.end(renderer.chartData, JsonRenderer.render(json)));
    renderer.flush();
  }

  private void flush() {
    try {
      out.append(html);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    html.setLength(0);
  }

  /** Doubts about the inputs precede the answer, which depends on the inputs. */
  private static String doubts(Report report) {
    return report.doubts().stream()
        .map(doubt -> "<p class=\"doubt\">" + cell(doubt) + "</p>\n")
        .collect(Collectors.joining());
  }

  /** The list of sections follows the answer, so that small screens show the answer first. */
  private String contents() {
    String links =
        IntStream.range(0, headings.size())
            .mapToObj(
                i -> "<li><a href=\"#part-%s\">%s</a></li>\n".formatted(i + 1, headings.get(i)))
            .collect(Collectors.joining());
    return "<nav aria-label=\"Parts of the report\">\n<ul>\n" + links + "</ul>\n</nav>\n";
  }

  @Override
  public void heading(Block.Heading heading) {
    endSection();
    if (sections == 0) {
      html.append(contents());
    }
    sections++;
    html.append(
        "<section aria-labelledby=\"part-%s\">\n<h2 id=\"part-%s\">%s</h2>\n"
            .formatted(sections, sections, HtmlText.escape(heading.text())));
    inSection = true;
  }

  private void endSection() {
    if (inSection) {
      html.append("</section>\n");
      inSection = false;
    }
  }

  @Override
  public void paragraph(Block.Paragraph paragraph) {
    html.append("<p>").append(cell(paragraph.text())).append("</p>\n");
  }

  @Override
  public void facts(Block.Facts facts) {
    html.append("<dl>\n");
    for (Fact fact : facts.entries()) {
      html.append("<div><dt>").append(HtmlText.escape(fact.label())).append("</dt><dd>");
      html.append(String.join("<br>", fact.values().stream().map(HtmlRenderer::cell).toList()));
      html.append("</dd></div>\n");
    }
    html.append("</dl>\n");
  }

  @Override
  public void table(Block.Table table) {
    // A table wider than the screen is scrolled; the keyboard reaches it as well.
    tables++;
    html.append("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"Table ");
    html.append(tables).append("\">\n");
    html.append("<table>\n<thead><tr>");
    for (Column column : table.columns()) {
      html.append("<th scope=\"col\"").append(side(column)).append('>');
      html.append(HtmlText.escape(column.title())).append("</th>");
    }
    html.append("</tr></thead>\n<tbody>\n");
    for (int i = 0; i < table.rows().size(); i++) {
      row(table, table.rows().get(i));
      if (!table.folded().isEmpty() && !table.folded().get(i).isEmpty()) {
        html.append("<tr class=\"more\"><td colspan=\"").append(table.columns().size());
        html.append("\">\n");
        List<Block> blocks = table.folded().get(i);
        fold(table.summary(i), blocks);
        html.append("</td></tr>\n");
      }
      flush();
    }
    html.append("</tbody>\n</table>\n</div>\n");
  }

  private void row(Block.Table table, List<Cell> row) {
    html.append("<tr>");
    for (int i = 0; i < row.size(); i++) {
      html.append("<td").append(side(table.columns().get(i)));
      html.append(label(table.columns().get(i), row.get(i))).append(anchor(row.get(i))).append('>');
      html.append(cell(row.get(i))).append("</td>");
    }
    html.append("</tr>\n");
  }

  /** Stands before the cell where a narrow screen makes a card of the row. */
  private static String label(Column column, Cell cell) {
    return cell.text().isBlank() ? "" : " data-label=\"" + HtmlText.escape(column.title()) + "\"";
  }

  private static String anchor(Cell cell) {
    return cell.anchor().isEmpty() ? "" : " id=\"" + HtmlText.escape(cell.anchor()) + "\"";
  }

  private static String side(Column column) {
    return column.align() == Column.Align.RIGHT ? " class=\"number\"" : "";
  }

  @Override
  public void chain(Block.Chain chain) {
    html.append("<ol class=\"chain\">\n");
    String above = "";
    for (Block.Arrow arrow : chain.links()) {
      if (!arrow.from().equals(above)) {
        html.append("<li class=\"node\">").append(HtmlText.prose(arrow.from())).append("</li>\n");
      }
      Stream.concat(Stream.of(arrow.how()), arrow.rows().stream())
          .forEach(
              line ->
                  html.append("<li class=\"how\">").append(HtmlText.prose(line)).append("</li>\n"));
      html.append("<li class=\"node\">").append(HtmlText.prose(arrow.to())).append("</li>\n");
      above = arrow.to();
    }
    html.append("</ol>\n");
  }

  @Override
  public void overview(Block.Overview overview) {
    html.append("<figure class=\"overview\" aria-label=\"The answer as a picture\">\n");
    if (!overview.parts().isEmpty()) {
      html.append("<p class=\"strip\"><b>Lost time</b></p>\n");
      html.append("<svg class=\"parts\" aria-hidden=\"true\">");
      double from = 0;
      for (Block.Part part : overview.parts()) {
        html.append("<rect class=\"").append(tone(part.tone())).append("\" height=\"100%\"");
        html.append(" x=\"").append(percent(from)).append("\" width=\"");
        html.append(percent(part.share())).append("\"/>");
        from += part.share();
      }
      html.append("</svg>\n<ul class=\"parts\">\n");
      for (Block.Part part : overview.parts()) {
        html.append("<li><svg aria-hidden=\"true\"><rect class=\"").append(tone(part.tone()));
        html.append("\" width=\"100%\" height=\"100%\"/></svg>");
        html.append(HtmlText.prose(part.figure() + " " + part.title())).append("</li>\n");
      }
      html.append("</ul>\n");
    }
    for (String chart : overview.charts()) {
      html.append("<div class=\"strip\" data-chart=\"").append(HtmlText.escape(chart));
      html.append("\"></div>\n");
    }
    html.append("<figcaption>").append(HtmlText.prose(overview.windows()));
    html.append("</figcaption>\n</figure>\n");
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.2f%%", 100 * share);
  }

  @Override
  public void code(Block.Code code) {
    html.append("<pre tabindex=\"0\"><code>");
    html.append(code.lines().stream().map(HtmlText::prose).collect(Collectors.joining("\n")))
        .append("</code></pre>\n");
  }

  @Override
  public void bullets(Block.Bullets bullets) {
    html.append("<ul>\n");
    bullets.items().forEach(item -> html.append("<li>").append(cell(item)).append("</li>\n"));
    html.append("</ul>\n");
  }

  @Override
  public void evidence(Block.Evidence evidence) {
    html.append("<div class=\"evidence\">\n");
    if (!evidence.statement().isEmpty()) {
      html.append("<p>").append(HtmlText.prose(evidence.statement())).append("</p>\n");
    }
    if (!evidence.sums().isEmpty()) {
      code(new Block.Code(evidence.sums()));
    }
    html.append("<p class=\"source\">Rule ").append(HtmlText.prose(evidence.rule()));
    html.append("; read from ").append(list(evidence.sources()));
    if (!evidence.charts().isEmpty()) {
      html.append("; over time: ").append(list(evidence.charts()));
    }
    html.append("</p>\n</div>\n");
  }

  private static String list(List<Cell> cells) {
    return String.join(", ", cells.stream().map(HtmlRenderer::cell).toList());
  }

  @Override
  public void details(Block.Details details) {
    fold(details.summary().text(), details.blocks());
  }

  private void fold(String summary, List<Block> blocks) {
    html.append("<details>\n<summary>").append(HtmlText.prose(summary)).append("</summary>\n");
    blocks.forEach(block -> block.handTo(this));
    html.append("</details>\n");
  }

  @Override
  public void stacks(Block.Stacks stacks) {
    html.append(HtmlStacks.markup(stacks, cell(stacks.source())));
  }

  @Override
  public void charts(Block.Charts charts) {
    chartData = ChartData.of(charts).toString();
    html.append("<div id=\"zoom\"></div>\n");
    html.append(
        "<noscript><p>Charts need scripts; all figures stand in the tables.</p></noscript>\n");
    html.append("<div class=\"charts\">\n");
    charts.plots().forEach(plot -> html.append(plot(plot)));
    html.append("</div>\n");
  }

  static String cell(Cell cell) {
    if (!cell.trail().isEmpty()) {
      return HtmlTrail.markup(cell);
    }
    String text = HtmlText.prose(cell.text());
    if (cell.target().startsWith(Cell.FILE)) {
      text = "<a href=\"" + HtmlText.escape(cell.target()) + "\">" + text + "</a>";
    } else if (!cell.target().isEmpty()) {
      String spot = cell.spot().map(HtmlRenderer::spot).orElse("");
      text = "<a href=\"#" + HtmlText.escape(cell.target()) + "\"" + spot + ">" + text + "</a>";
    }
    if (cell.share().isPresent()) {
      text += bar(cell.share().getAsDouble());
    }
    return cell.tone() == Tone.PLAIN
        ? text
        : "<span class=\"" + tone(cell.tone()) + "\">" + text + "</span>";
  }

  /** What the page's script marks in the chart: milliseconds since 1970. */
  private static String spot(Spot spot) {
    return " data-from=\"%s\" data-to=\"%s%s"
        .formatted(
            spot.from().toEpochMilli(),
            spot.to().toEpochMilli(),
            spot.peak() ? "\" data-peak=\"1\"" : "\"");
  }

  /** The text beside it has the same content. */
  private static String bar(double share) {
    return "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" aria-hidden=\"true\">"
        + "<rect width=\""
        + Math.round(100 * Math.max(0, Math.min(1, share)))
        + "\" height=\"10\"/></svg>";
  }

  private static String tone(Tone tone) {
    return tone.name().toLowerCase(Locale.ROOT);
  }

  /** A chart: the place where its script draws, and the same in words. */
  private static String plot(Plot plot) {
    String traces = plot.traces().stream().map(HtmlRenderer::trace).collect(Collectors.joining());
    String told = plot.told().stream().map(HtmlRenderer::cell).collect(Collectors.joining(", "));
    return ResourceText.whole(HtmlRenderer.class, "plot.html")
        .formatted(
            HtmlText.escape(plot.id()),
            HtmlText.escape(plot.title()),
            source(plot),
            traces,
            told.isEmpty() ? "" : "<p>Findings: " + told + "</p>\n");
  }

  /** The file and place of all lines, if it is one. */
  private static String source(Plot plot) {
    List<Cell> sources = plot.traces().stream().map(Plot.Trace::source).distinct().toList();
    return sources.size() == 1 ? "<p class=\"source\">From " + cell(sources.get(0)) + "</p>\n" : "";
  }

  private static String trace(Plot.Trace trace) {
    String words =
        HtmlText.prose(trace.title() + ": " + trace.gist().orElse("nothing in the windows"));
    return "<li>" + words + " (" + cell(trace.source()) + ")</li>\n";
  }

  /**
   * Charts as the page's script reads them. Times are milliseconds after the first point, which
   * keeps them short; values have as many digits as an eye can tell apart.
   */
  private static final class ChartData {

    private static final MathContext DIGITS = new MathContext(5);

    static ObjectNode of(Block.Charts charts) {
      ObjectNode root = JsonNodeFactory.instance.objectNode();
      long start =
          charts.plots().stream()
              .flatMap(plot -> plot.traces().stream())
              .filter(trace -> !trace.points().isEmpty())
              .mapToLong(trace -> trace.points().get(0).at().toEpochMilli())
              .min()
              .orElse(0);
      root.put("zone", charts.zone().getId()).put("start", start);
      ArrayNode marks = root.putArray("marks");
      charts.marks().forEach(mark -> put(marks.addObject(), mark, start));
      charts.closeUp().ifPresent(mark -> put(root.putObject("closeUp"), mark, start));
      ArrayNode plots = root.putArray("charts");
      charts.plots().forEach(plot -> put(plots.addObject(), plot, start));
      return root;
    }

    private static void put(ObjectNode node, Plot.Mark mark, long start) {
      node.put("title", mark.title()).put("tone", tone(mark.tone()));
      node.put("from", after(start, mark.from())).put("to", after(start, mark.to()));
    }

    private static void put(ObjectNode node, Plot plot, long start) {
      node.put("id", plot.id()).put("unit", plot.unit());
      ArrayNode lines = node.putArray("lines");
      for (Plot.Trace trace : plot.traces()) {
        ObjectNode line = lines.addObject();
        line.put("title", trace.title());
        line.put("shape", trace.shape().name().toLowerCase(Locale.ROOT));
        ArrayNode times = line.putArray("t");
        ArrayNode values = line.putArray("v");
        for (Plot.Point point : trace.points()) {
          times.add(after(start, point.at()));
          values.add(new BigDecimal(point.value(), DIGITS).stripTrailingZeros());
        }
      }
    }

    private static long after(long start, Instant at) {
      return at.toEpochMilli() - start;
    }
  }

  /**
   * The page around a report. It holds all it needs, and its content security policy allows nothing
   * else: of styles and scripts only those whose hashes it names, of the network nothing at all.
   */
  private static final class HtmlPage {

    private static final String STYLE = resource("uPlot.min.css") + resource("report.css");
    private static final String CHARTS =
        "/*\n" + resource("uPlot.LICENSE.txt") + "*/\n" + resource("uPlot.iife.min.js");
    private static final String SCRIPT = resource("report.js");
    private static final String ICICLE = resource("icicle.js");

    private static final String POLICY =
        "default-src 'none'; style-src %s; script-src %s %s %s; base-uri 'none'; form-action 'none'"
            .formatted(hash(STYLE), hash(CHARTS), hash(SCRIPT), hash(ICICLE));

    /**
     * The page up to the markup of the report.
     *
     * @param title text, not markup
     */
    static String begin(String title) {
      return resource("page-begin.html").formatted(POLICY, HtmlText.escape(title), STYLE);
    }

    /**
     * The page after the markup of the report.
     *
     * @param charts what the charts draw, as JSON
     * @param report the report for machines, as JSON
     */
    static String end(String charts, String report) {
      return resource("page-end.html")
          .formatted(HtmlText.data(charts), HtmlText.data(report), CHARTS, SCRIPT, ICICLE);
    }

    /** As a content security policy names a script or style by what is in it. */
    private static String hash(String content) {
      try {
        byte[] digest =
            MessageDigest.getInstance("SHA-256").digest(content.getBytes(StandardCharsets.UTF_8));
        return "'sha256-" + Base64.getEncoder().encodeToString(digest) + "'";
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }

    /** Line ends are normalised to line feeds, as browsers do before hashing. */
    private static String resource(String name) {
      return ResourceText.whole(HtmlPage.class, name);
    }
  }

  /** States over time as bars; height and colour encode the same value. */
  private static final class HtmlTrail {

    private static final int HEIGHT = 8;

    /** Between two bars, of the ten units that each has. */
    private static final int GAP = 1;

    private static final int WIDTH = 10;

    /** On the screen, in pixels. */
    private static final String SIZE = "width=\"192\" height=\"18\"";

    /** The colours are those of texts of the same tone. */
    static String markup(Cell cell) {
      StringBuilder bars = new StringBuilder();
      for (int i = 0; i < cell.trail().size(); i++) {
        bars.append(bar(cell.trail().get(i), i * WIDTH));
      }
      int width = cell.trail().size() * WIDTH;
      return ("<svg role=\"img\" aria-label=\"%s\" %s viewBox=\"0 0 %s %s\""
              + " preserveAspectRatio=\"none\"><rect class=\"muted\" fill=\"currentColor\""
              + " fill-opacity=\"0.15\" width=\"%s\" height=\"%s\"/>%s</svg>")
          .formatted(HtmlText.escape(words(cell)), SIZE, width, HEIGHT, width, HEIGHT, bars);
    }

    private static String bar(Tone tone, int x) {
      int height = height(tone);
      return ("<rect class=\"%s\" fill=\"currentColor\" x=\"%s\" y=\"%s\" width=\"%s\""
              + " height=\"%s\"/>")
          .formatted(tone.name().toLowerCase(Locale.ROOT), x, HEIGHT - height, WIDTH - GAP, height);
    }

    private static int height(Tone tone) {
      return switch (tone) {
        case BAD -> HEIGHT;
        case WARNING -> HEIGHT / 2;
        default -> HEIGHT / 4;
      };
    }

    /** The count of each state, for screen readers. */
    private static String words(Cell cell) {
      Map<Tone, Integer> counts = new EnumMap<>(Tone.class);
      cell.trail().forEach(tone -> counts.merge(tone, 1, Integer::sum));
      StringJoiner words = new StringJoiner(", ");
      counts.forEach((tone, count) -> words.add(count + " " + word(tone)));
      return words.toString();
    }

    private static String word(Tone tone) {
      return switch (tone) {
        case BAD -> "with a suspect";
        case WARNING -> "undecided";
        case GOOD -> "healthy";
        default -> "failed";
      };
    }
  }

  /** A tree of stacks in a page: the data for the drawing script, and an accessible table. */
  private static final class HtmlStacks {

    /** Narrower frames are unreadable in the drawing as well. */
    private static final double LEAST_SHARE = 0.01;

    private static final int MOST_ROWS = 150;

    private static final String COMPARED =
        "<span class=\"frame grew\">\u25b2 5 points or more above the baseline</span>"
            + "<span class=\"frame fell\">\u25bc as much below it</span>";

    static String markup(Block.Stacks stacks, String source) {
      String title = HtmlText.escape(stacks.title());
      boolean compares = stacks.frames().stream().anyMatch(frame -> frame.before().isPresent());
      String rows =
          stacks.frames().stream()
              .filter(frame -> frame.share() >= LEAST_SHARE)
              .limit(MOST_ROWS)
              .map(frame -> row(frame, compares))
              .collect(Collectors.joining());
      return ResourceText.whole(HtmlStacks.class, "stacks.html")
          .formatted(
              HtmlText.escape(stacks.id()),
              HtmlText.escape(stacks.json()),
              stacks.open().map(at -> " data-open=\"" + at.frame() + "\"").orElse(""),
              title,
              HtmlText.escape(stacks.total()),
              source,
              stacks.open().map(HtmlStacks::suspect).orElse(""),
              compares ? COMPARED : "",
              title,
              compares ? "<th scope=\"col\" class=\"number\">Before</th>" : "",
              rows);
    }

    private static String suspect(Block.Stacks.Opened at) {
      return "<span class=\"frame suspect\">" + HtmlText.escape(at.why()) + "</span>";
    }

    private static String row(StackFrame frame, boolean compares) {
      return "<tr>"
          + number("Level", String.valueOf(frame.level() + 1))
          + "<td data-label=\"Frame\">"
          + HtmlText.prose(frame.name())
          + "</td>"
          + (compares ? number("Before", share(frame.before())) : "")
          + number("During", share(OptionalDouble.of(frame.share())))
          + "</tr>\n";
    }

    private static String number(String label, String number) {
      return "<td class=\"number\" data-label=\"" + label + "\">" + number + "</td>";
    }

    private static String share(OptionalDouble share) {
      return share.isPresent() ? new Ratio(share.getAsDouble()).share() : "-";
    }
  }
}
