package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Plot.Mark;
import io.gcdiag.cli.report.Plot.Point;
import io.gcdiag.cli.report.Plot.Shape;
import io.gcdiag.cli.report.Plot.Trace;
import io.gcdiag.diagnosis.Chart;
import io.gcdiag.diagnosis.Chart.Line;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Metric;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Window;
import io.gcdiag.evidence.Windows;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** The figures over time, and which of them show what a sentence or a table says. */
final class ChartSection {

  private ChartSection() {}

  static List<Block> blocks(Diagnosis diagnosis, ZoneId zone) {
    if (diagnosis.charts().isEmpty()) {
      return List.of();
    }
    Windows windows = diagnosis.windows();
    List<Mark> marks = new ArrayList<>();
    windows.baseline().ifPresent(window -> marks.add(mark("baseline", window, Tone.GOOD)));
    marks.add(mark("incident", windows.incident(), Tone.BAD));
    return List.of(
        new Block.Charts(
            zone,
            marks,
            diagnosis.charts().stream().map(chart -> plot(chart, diagnosis)).toList()));
  }

  /** The charts that show what was read at one of these places. */
  static List<Cell> showing(Diagnosis diagnosis, List<Source> sources) {
    return diagnosis.charts().stream()
        .filter(chart -> sources.stream().anyMatch(chart::shows))
        .map(chart -> Cell.of(chart.title()).to(target(chart)))
        .toList();
  }

  /** The figure, pointing to the chart that shows it over time. */
  static Cell linked(Diagnosis diagnosis, Metric metric, Cell cell) {
    return diagnosis.charts().stream()
        .filter(chart -> chart.shows(metric))
        .findFirst()
        .map(chart -> cell.to(target(chart)))
        .orElse(cell);
  }

  private static String target(Chart chart) {
    return "chart-" + chart.id();
  }

  private static Mark mark(String title, Window window, Tone tone) {
    return new Mark(title, window.from(), window.to(), tone);
  }

  private static Plot plot(Chart chart, Diagnosis diagnosis) {
    return new Plot(
        target(chart),
        chart.title(),
        chart.unit().id(),
        chart.lines().stream().map(line -> trace(chart, line, diagnosis)).toList(),
        told(chart, diagnosis));
  }

  /** The figures and the causes whose evidence it shows: the way back. */
  private static List<Cell> told(Chart chart, Diagnosis diagnosis) {
    List<Cell> told = new ArrayList<>();
    for (Metric metric : diagnosis.metrics()) {
      if (chart.shows(metric)) {
        told.add(Cell.of(metric.title()).to(anchor(diagnosis, metric)));
      }
    }
    for (Judgement judgement : diagnosis.judgements()) {
      boolean shown =
          judgement.findings().stream()
              .flatMap(finding -> finding.sources().stream())
              .anyMatch(chart::shows);
      if (shown) {
        told.add(Cell.of(judgement.hypothesis().id()).to(anchor(judgement)));
      }
    }
    return told;
  }

  /** Under which a figure's row is found. */
  static String anchor(Diagnosis diagnosis, Metric metric) {
    return "metric-" + (diagnosis.metrics().indexOf(metric) + 1);
  }

  /** Under which a cause's row is found. */
  static String anchor(Judgement judgement) {
    return "cause-" + judgement.hypothesis().id();
  }

  private static Trace trace(Chart chart, Line line, Diagnosis diagnosis) {
    Shape shape =
        switch (line.style()) {
          case LINE -> Shape.LINE;
          case STEPS -> Shape.STEPS;
          case BARS -> Shape.BARS;
        };
    return new Trace(
        line.title(),
        shape,
        InputSection.cell(diagnosis, line.source()),
        gist(chart, line, diagnosis.windows()),
        line.points().stream().map(point -> new Point(point.at(), point.value())).toList());
  }

  /** The highest values of both windows. */
  private static String gist(Chart chart, Line line, Windows windows) {
    String during = highest(chart, line.highest(windows.incident()));
    return windows
        .baseline()
        .map(window -> highest(chart, line.highest(window)) + " before, " + during + " during")
        .orElse(during + " in the incident");
  }

  private static String highest(Chart chart, OptionalDouble value) {
    return value.isPresent() ? Figures.value(chart.unit(), value.getAsDouble()) : "none";
  }
}
