package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Block.Link;
import io.gcdiag.cli.report.Block.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Draws causes and effects in rows, causes above. Every arrow leads from one row to the next; one
 * that leads further passes the rows between in slots of its own. Boxes are text that the browser
 * wraps, and arrows are placed in percent of the width, so that it fits screens and paper.
 */
final class HtmlPicture {

  /** The stylesheet defines grids of up to this many columns. */
  private static final int MOST_SLOTS = 6;

  private static final int NONE = -1;

  /** Pixels. */
  private static final int STRIP = 40;

  private static final int HEAD = 9;

  private static final double THINNEST = 1.5;
  private static final double THICKEST = 6;

  private final Block.Picture picture;
  private final int[] levels;

  /** From the top. */
  private final List<List<Slot>> rows = new ArrayList<>();

  private final StringBuilder html = new StringBuilder();

  private HtmlPicture(Block.Picture picture) {
    this.picture = picture;
    this.levels = new int[picture.nodes().size()];
  }

  /**
   * A place in a row.
   *
   * @param node the number of the box in it; {@link #NONE} where an arrow passes
   * @param link that arrow
   */
  private record Slot(int node, Optional<Link> link) {
    static Slot of(int node) {
      return new Slot(node, Optional.empty());
    }
  }

  /** Empty if the graph is too wide to draw; the chain in words follows in any case. */
  static String markup(Block.Picture picture) {
    return new HtmlPicture(picture).draw();
  }

  /**
   * An arrow, or a part of it, between two rows.
   *
   * @param from the slot above
   * @param to the slot below
   * @param link the arrow
   * @param ends whether it ends there
   */
  private record Line(int from, int to, Link link, boolean ends) {}

  private String draw() {
    for (int i = 0; i < levels.length; i++) {
      setLevels();
    }
    int top = picture.links().stream().mapToInt(link -> levels[link.from()]).max().orElse(0);
    for (int level = top; level >= 0; level--) {
      rows.add(new ArrayList<>());
    }
    List<Link> links =
        picture.links().stream()
            .filter(link -> levels[link.from()] > levels[link.to()])
            .sorted(Comparator.comparing(Link::main).reversed())
            .toList();
    links.stream().flatMap(l -> List.of(l.from(), l.to()).stream()).distinct().forEach(this::seat);
    List<List<Line>> strips = new ArrayList<>();
    rows.forEach(row -> strips.add(new ArrayList<>()));
    links.forEach(link -> route(link, top, strips));
    if (rows.stream().anyMatch(row -> row.size() > MOST_SLOTS)) {
      return "";
    }
    List<Node> apart = apart();
    int most =
        Math.max(
            rows.stream().mapToInt(List::size).max().orElse(1), Math.min(MOST_SLOTS, apart.size()));
    html.append("<div class=\"picture most").append(most);
    html.append("\" tabindex=\"0\" role=\"region\" aria-label=\"What led to what\">\n");
    html.append(HEADS);
    for (int i = 0; i < rows.size(); i++) {
      row(rows.get(i));
      if (i + 1 < rows.size()) {
        strip(strips.get(i), rows.get(i).size(), rows.get(i + 1).size());
      }
    }
    beside(apart);
    return html.append("</div>\n").toString();
  }

  /** Lifts each cause above its effects by one pass; the number of rows bounds cycles. */
  private void setLevels() {
    for (Link link : picture.links()) {
      int above = levels[link.to()] + 1;
      if (levels[link.from()] < above && above < levels.length) {
        levels[link.from()] = above;
      }
    }
  }

  private void seat(int node) {
    rows.get(rows.size() - 1 - levels[node]).add(Slot.of(node));
  }

  private void route(Link link, int top, List<List<Line>> strips) {
    int first = top - levels[link.from()];
    int last = top - levels[link.to()];
    int slot = rows.get(first).indexOf(Slot.of(link.from()));
    for (int row = first; row < last; row++) {
      boolean ends = row + 1 == last;
      List<Slot> below = rows.get(row + 1);
      int next = ends ? below.indexOf(Slot.of(link.to())) : below.size();
      if (!ends) {
        below.add(new Slot(NONE, Optional.of(link)));
      }
      strips.get(row).add(new Line(slot, next, link, ends));
      slot = next;
    }
  }

  private void row(List<Slot> row) {
    html.append("<div class=\"slots of").append(row.size()).append("\">");
    for (Slot slot : row) {
      slot.link().ifPresentOrElse(this::passing, () -> box(picture.nodes().get(slot.node())));
    }
    html.append("</div>\n");
  }

  private void passing(Link link) {
    html.append("<div class=\"passing\"><svg aria-hidden=\"true\"><line");
    html.append(stroke(link)).append(" x1=\"50%\" y1=\"0\" x2=\"50%\" y2=\"100%\"/></svg></div>");
  }

  private static String stroke(Link link) {
    double width = THINNEST + (THICKEST - THINNEST) * Math.max(0, Math.min(1, link.share()));
    return (link.main() ? " class=\"main\"" : "")
        + String.format(Locale.ROOT, " stroke-width=\"%.1f\"", width);
  }

  private void box(Node node) {
    html.append("<div class=\"box ").append(node.tone().name().toLowerCase(Locale.ROOT));
    html.append("\"><b>").append(HtmlText.prose(node.title())).append("</b>");
    node.lines().forEach(line -> html.append("<br>").append(HtmlText.prose(line)));
    html.append("</div>");
  }

  private static final String HEADS =
      "<svg class=\"heads\" width=\"0\" height=\"0\" aria-hidden=\"true\"><defs>"
          + head("head", "")
          + head("head-main", " class=\"main\"")
          + "</defs></svg>\n";

  private static String head(String id, String kind) {
    return ("<marker id=\"%s\" viewBox=\"0 0 10 10\" refX=\"0\" refY=\"5\""
            + " markerWidth=\"%s\" markerHeight=\"%s\" markerUnits=\"userSpaceOnUse\""
            + " orient=\"auto\"><path%s d=\"M0 0L10 5L0 10z\"/></marker>")
        .formatted(id, HEAD, HEAD, kind);
  }

  private void strip(List<Line> lines, int above, int below) {
    html.append("<svg class=\"arrows\" height=\"").append(STRIP).append("\" aria-hidden=\"true\">");
    lines.forEach(line -> line(line, above, below));
    html.append("</svg>\n");
  }

  private void line(Line line, int above, int below) {
    Link link = line.link();
    String head = " marker-end=\"url(#head" + (link.main() ? "-main" : "") + ")\"";
    html.append(
        "<line%s x1=\"%s\" y1=\"0\" x2=\"%s\" y2=\"%s\"%s/>"
            .formatted(
                stroke(link),
                centre(line.from(), above),
                centre(line.to(), below),
                line.ends() ? STRIP - HEAD : STRIP,
                line.ends() ? head : ""));
  }

  private static String centre(int slot, int slots) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * (slot + 0.5) / slots);
  }

  /** Boxes without arrows. */
  private List<Node> apart() {
    return IntStream.range(0, levels.length)
        .filter(i -> picture.links().stream().noneMatch(l -> l.from() == i || l.to() == i))
        .mapToObj(picture.nodes()::get)
        .toList();
  }

  private void beside(List<Node> apart) {
    if (!apart.isEmpty()) {
      html.append("<p class=\"muted\">Passed by requests, without a part in it:</p>\n");
      html.append("<div class=\"slots of").append(Math.min(MOST_SLOTS, apart.size()));
      html.append("\">");
      apart.forEach(this::box);
      html.append("</div>\n");
    }
  }
}
