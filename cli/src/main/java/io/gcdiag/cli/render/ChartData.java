package io.gcdiag.cli.render;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Plot;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.Instant;
import java.util.Locale;

/**
 * Charts as the page's script reads them. Times are milliseconds after the first point, which keeps
 * them short; values have as many digits as an eye can tell apart.
 */
final class ChartData {

  private static final MathContext DIGITS = new MathContext(5);

  private ChartData() {}

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
    for (Plot.Mark mark : charts.marks()) {
      marks
          .addObject()
          .put("title", mark.title())
          .put("tone", mark.tone().name().toLowerCase(Locale.ROOT))
          .put("from", after(start, mark.from()))
          .put("to", after(start, mark.to()));
    }
    ArrayNode plots = root.putArray("charts");
    charts.plots().forEach(plot -> put(plots.addObject(), plot, start));
    return root;
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
