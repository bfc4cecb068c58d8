package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Plot;
import io.gcdiag.texts.ResourceText;
import java.util.stream.Collectors;

/** A chart in a page: the place where its script draws, and the same in words. */
final class HtmlPlots {

  private HtmlPlots() {}

  static String markup(Plot plot) {
    String traces = plot.traces().stream().map(HtmlPlots::trace).collect(Collectors.joining());
    String told = plot.told().stream().map(HtmlRenderer::cell).collect(Collectors.joining(", "));
    return ResourceText.whole(HtmlPlots.class, "plot.html")
        .formatted(
            HtmlText.escape(plot.id()),
            HtmlText.escape(plot.title()),
            traces,
            told.isEmpty() ? "" : "<p>Findings: " + told + "</p>\n");
  }

  private static String trace(Plot.Trace trace) {
    String words = HtmlText.prose(trace.title() + ": " + trace.gist());
    return "<li>" + words + " (" + HtmlRenderer.cell(trace.source()) + ")</li>\n";
  }
}
