package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.StackFrame;
import io.gcdiag.units.Ratio;

/** A tree of stacks in a page: the data for the drawing script, and an accessible table. */
final class HtmlStacks {

  /** Narrower frames are unreadable in the drawing as well. */
  private static final double LEAST_SHARE = 0.01;

  private static final int MOST_ROWS = 150;

  private HtmlStacks() {}

  static String markup(Block.Stacks stacks, String source) {
    String id = HtmlText.escape(stacks.id());
    StringBuilder html = new StringBuilder();
    html.append("<figure class=\"stacks\" id=\"").append(id);
    html.append("\" data-json=\"").append(HtmlText.escape(stacks.json())).append('"');
    stacks.open().ifPresent(at -> html.append(" data-open=\"").append(at.frame()).append('"'));
    html.append(" tabindex=\"-1\">\n<h3>");
    html.append(HtmlText.escape(stacks.title())).append("</h3>\n<p class=\"source\">");
    html.append(HtmlText.escape(stacks.total())).append("; read from ").append(source);
    html.append("</p>\n");
    html.append(
        "<p class=\"source legend\"><span class=\"frame own\">the service's own code</span>");
    html.append("<span class=\"frame\">JDK, frameworks, drivers, libraries</span>");
    stacks
        .open()
        .ifPresent(
            at ->
                html.append("<span class=\"frame suspect\">")
                    .append(HtmlText.escape(at.why()))
                    .append("</span>"));
    boolean compares = stacks.frames().stream().anyMatch(frame -> frame.before().isPresent());
    if (compares) {
      html.append("<span class=\"frame grew\">\u25b2 5 points or more above the baseline</span>");
      html.append("<span>\u25bc as much below it</span>");
    }
    html.append("</p>\n<div class=\"icicle\"></div>\n<figcaption>\n");
    html.append("<details><summary>The same as a table</summary>\n");
    html.append("<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"");
    html.append(HtmlText.escape(stacks.title())).append(", table\">\n<table>\n<thead><tr>");
    html.append("<th scope=\"col\" class=\"number\">Level</th><th scope=\"col\">Frame</th>");
    html.append(compares ? "<th scope=\"col\" class=\"number\">Before</th>" : "");
    html.append("<th scope=\"col\" class=\"number\">During</th></tr></thead>\n<tbody>\n");
    stacks.frames().stream()
        .filter(frame -> frame.share() >= LEAST_SHARE)
        .limit(MOST_ROWS)
        .forEach(frame -> row(html, frame, compares));
    return html.append("</tbody>\n</table>\n</div>\n</details>\n</figcaption>\n</figure>\n")
        .toString();
  }

  private static void row(StringBuilder html, StackFrame frame, boolean compares) {
    html.append("<tr><td class=\"number\" data-label=\"Level\">")
        .append(frame.level() + 1)
        .append("</td><td data-label=\"Frame\">");
    html.append(HtmlText.prose(frame.name()));
    if (compares) {
      html.append("</td><td class=\"number\" data-label=\"Before\">")
          .append(
              frame.before().isPresent() ? new Ratio(frame.before().getAsDouble()).share() : "-");
    }
    html.append("</td><td class=\"number\" data-label=\"During\">")
        .append(new Ratio(frame.share()).share())
        .append("</td></tr>\n");
  }
}
