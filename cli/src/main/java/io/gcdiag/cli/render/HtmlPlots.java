package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Plot;
import java.util.stream.Collectors;

/** A chart in a page: the place where its script draws, and the same in words. */
final class HtmlPlots {

  private HtmlPlots() {}

  static String markup(Plot plot) {
    StringBuilder html = new StringBuilder();
    html.append("<figure id=\"").append(HtmlText.escape(plot.id()));
    html.append("\" tabindex=\"-1\">\n<h3>").append(HtmlText.escape(plot.title()));
    html.append("</h3>\n<div class=\"plot\"></div>\n");
    html.append(
        "<figcaption>\n<details><summary>In words, with sources and findings"
            + "</summary>\n<ul>\n");
    for (Plot.Trace trace : plot.traces()) {
      html.append("<li>").append(HtmlText.prose(trace.title() + ": " + trace.gist()));
      html.append(" (").append(HtmlRenderer.cell(trace.source())).append(")</li>\n");
    }
    html.append("</ul>\n");
    if (!plot.told().isEmpty()) {
      html.append("<p>Findings: ");
      html.append(plot.told().stream().map(HtmlRenderer::cell).collect(Collectors.joining(", ")));
      html.append("</p>\n");
    }
    return html.append("</details>\n</figcaption>\n</figure>\n").toString();
  }
}
