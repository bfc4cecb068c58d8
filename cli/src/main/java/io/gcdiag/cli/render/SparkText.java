package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Block;
import io.gcdiag.cli.report.Plot;
import io.gcdiag.cli.report.Plot.Mark;
import io.gcdiag.cli.report.Plot.Point;
import io.gcdiag.cli.report.Plot.Shape;
import io.gcdiag.cli.report.Plot.Trace;
import io.gcdiag.cli.report.Tone;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Charts as one line of text each, as high as a character: the highest value of each slice of time,
 * from zero up. The last line marks the windows.
 */
final class SparkText {

  private static final String LEVELS = "▁▂▃▄▅▆▇█";
  private static final DateTimeFormatter CLOCK =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final String HIGHEST = "Highest values";

  /** With fewer slices a line shows no course: labels are cut first. */
  private static final int LEAST_SLICES = 12;

  private static final int GAP = 2;

  /** Room for the words at the end of a line: {@code 999 MiB/s before, 999 MiB/s during}. */
  private static final int GIST = 36;

  /** Room for {@code - baseline, = incident}. */
  private static final int LEGEND = 22;

  /** More lines would push the answer off the first screen. */
  private static final int MOST_LINES = 5;

  private final Block.Charts charts;
  private final int label;
  private final int slices;
  private final Instant from;
  private final long nanos;

  private SparkText(Block.Charts charts, List<Trace> shown, int width) {
    this.charts = charts;
    int gist = longest(shown, row -> row.gist().orElse(""), LEGEND, GIST);
    int room = width - gist - 2 * GAP;
    this.label = longest(shown, Trace::title, HIGHEST.length(), room - LEAST_SLICES);
    this.slices = room - label;
    SortedSet<Instant> times = new TreeSet<>();
    charts.marks().forEach(mark -> times.addAll(List.of(mark.from(), mark.to())));
    if (times.isEmpty()) {
      shown.forEach(row -> row.points().forEach(point -> times.add(point.at())));
    }
    this.from = times.first();
    this.nanos = Math.max(1, Duration.between(from, times.last()).toNanos());
  }

  /**
   * The lines, from the baseline to the end of the incident; all charts with all their lines, or
   * the first line of the first charts.
   */
  static List<String> lines(Block.Charts charts, int width, boolean all) {
    List<Trace> shown = new ArrayList<>();
    for (Plot plot : charts.plots()) {
      for (Trace trace : all ? plot.traces() : plot.telling().stream().toList()) {
        boolean drawn = trace.shape() != Shape.CELLS && trace.gist().isPresent();
        if (drawn && (all || shown.size() < MOST_LINES)) {
          shown.add(all ? trace.titled(plot.title() + ", " + trace.title()) : trace);
        }
      }
    }
    SparkText text = new SparkText(charts, shown, width);
    List<String> lines = new ArrayList<>();
    lines.add(text.line(HIGHEST, text.axis(), ""));
    for (Trace row : shown) {
      lines.add(text.line(row.title(), text.spark(row), row.gist().orElse("")));
    }
    lines.add(text.line("", text.marks(), text.legend()).stripTrailing());
    return lines;
  }

  private static int longest(List<Trace> rows, Function<Trace, String> words, int least, int most) {
    return rows.stream()
        .mapToInt(row -> words.apply(row).length())
        .reduce(least, (one, other) -> Math.min(most, Math.max(one, other)));
  }

  private String line(String name, String drawing, String gist) {
    String shown = name.length() > label ? name.substring(0, label - 2) + ".." : name;
    return (pad(shown, label + GAP) + pad(drawing, slices + GAP) + gist).stripTrailing();
  }

  private static String pad(String text, int width) {
    return text + " ".repeat(Math.max(0, width - text.length()));
  }

  private String spark(Trace trace) {
    double[] highest = new double[slices];
    Arrays.fill(highest, Double.NaN);
    double last = Double.NaN;
    for (Point point : trace.points()) {
      if (point.at().isBefore(from)) {
        last = point.value();
      } else if (!point.at().isAfter(from.plusNanos(nanos))) {
        int slice = slice(point.at());
        highest[slice] =
            Double.isNaN(highest[slice]) ? point.value() : Math.max(highest[slice], point.value());
      }
    }
    double top = Arrays.stream(highest).filter(value -> !Double.isNaN(value)).max().orElse(0);
    boolean holds = trace.shape() != Shape.BARS;
    StringBuilder drawn = new StringBuilder();
    for (double value : highest) {
      last = Double.isNaN(value) && holds ? last : value;
      drawn.append(Double.isNaN(last) ? ' ' : level(last, top));
    }
    return drawn.toString();
  }

  private static char level(double value, double top) {
    int level = top <= 0 ? 0 : (int) Math.ceil(value / top * LEVELS.length()) - 1;
    return LEVELS.charAt(Math.max(0, Math.min(LEVELS.length() - 1, level)));
  }

  /** The start and end of the time axis. */
  private String axis() {
    DateTimeFormatter clock = CLOCK.withZone(charts.zone());
    String zone = charts.zone().equals(ZoneOffset.UTC) ? " UTC" : "";
    String begin = clock.format(from);
    String end = clock.format(from.plusNanos(nanos)) + zone;
    return begin + " ".repeat(Math.max(1, slices - begin.length() - end.length())) + end;
  }

  /** {@code -----} under the baseline, {@code =====} under the incident. */
  private String marks() {
    char[] drawn = " ".repeat(slices).toCharArray();
    for (Mark mark : charts.marks()) {
      Arrays.fill(drawn, slice(mark.from()), slice(mark.to().minusNanos(1)) + 1, sign(mark));
    }
    return new String(drawn);
  }

  private String legend() {
    return String.join(
        ", ", charts.marks().stream().map(mark -> sign(mark) + " " + mark.title()).toList());
  }

  private static char sign(Mark mark) {
    return mark.tone() == Tone.GOOD ? '─' : '═';
  }

  private int slice(Instant at) {
    double share = (double) Duration.between(from, at).toNanos() / nanos;
    return (int) Math.max(0, Math.min(slices - 1, Math.floor(share * slices)));
  }
}
