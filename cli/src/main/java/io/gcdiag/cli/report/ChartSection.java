package io.gcdiag.cli.report;

import io.gcdiag.causes.Causes;
import io.gcdiag.cli.report.Cell.Spot;
import io.gcdiag.cli.report.Plot.Mark;
import io.gcdiag.cli.report.Plot.Point;
import io.gcdiag.cli.report.Plot.Shape;
import io.gcdiag.cli.report.Plot.Trace;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.Chart;
import io.gcdiag.figures.Chart.Line;
import io.gcdiag.figures.Chart.MetricPoint;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.Metric;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The charts, and the links from figures and causes to them. */
final class ChartSection {

  private static final DateTimeFormatter INSTANT =
      DateTimeFormatter.ofPattern("HH:mm:ss.S 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

  /** An event up to this length is marked by a line. */
  private static final Duration INSTANTS = Duration.ofSeconds(1);

  private static final double DWARFS = 10;

  /** Charts of what users feel, the best first; that of latency is the first of all charts. */
  private static final List<String> FELT = List.of("latency", "waits");

  private static final String PAUSES = "pauses";

  /** What these sum up has a line in another chart. */
  private static final Set<String> ONLY_DRAWN = Set.of("spread", "queue");

  /** Time before and after the longest pause, in which queues fill and drain. */
  private static final Duration BESIDE_PAUSE = Duration.ofSeconds(2);

  /** Fewer threads waiting, even at the peak, cause no noticeable delay. */
  private static final double LEAST_THREADS = 1;

  private static final List<Summary> SUMMARIES =
      List.of(
          new Summary("latency", "P99", "P99 latency", "latency.p99", ""),
          new Summary("latency", "mean", "Mean latency", "latency.mean", ""),
          new Summary("pauses", "GC pauses", "GC pauses", "gc.pause.share", " of the time"),
          new Summary("heap", "", "Heap", "heap.used.after", " after GC"),
          Summary.of(Effect.POOL_WAIT, "for a connection", "Connection waits", "pool.waiting"),
          Summary.of(
              Effect.DOWNSTREAM_WAIT,
              "for a downstream call",
              "Downstream calls",
              "downstream.waiting"),
          Summary.of(Effect.LOCK_WAIT, "for a lock", "Lock waits", "lock.waiting"),
          new Summary("cpu", "machine", "CPU", "cpu.machine", " on average"),
          new Summary("allocation", "", "Allocation", "allocation.rate", ""),
          new Summary("requests", "requests", "Requests", "request.rate", ""));

  static List<Block> blocks(Diagnosis diagnosis, ZoneId zone) {
    if (diagnosis.figures().charts().isEmpty()) {
      return List.of();
    }
    Windows windows = diagnosis.windows();
    List<Mark> marks = new ArrayList<>();
    windows.baseline().ifPresent(window -> marks.add(mark("baseline", window, Tone.GOOD)));
    marks.add(
        Opening.isIncident(diagnosis)
            ? mark("incident", windows.incident(), Tone.BAD)
            : mark("analyzed", windows.incident(), Tone.PLAIN));
    return List.of(
        new Block.Charts(
            zone,
            marks,
            longestPause(diagnosis),
            diagnosis.figures().charts().stream().map(chart -> plot(chart, diagnosis)).toList()));
  }

  /** The time around the longest pause of the incident, with the queues that it caused. */
  private static Optional<Mark> longestPause(Diagnosis diagnosis) {
    Window incident = diagnosis.windows().incident();
    return first(diagnosis.figures().charts(), chart -> chart.id().equals(PAUSES)).stream()
        .flatMap(chart -> chart.lines().get(0).points().stream())
        .filter(pause -> incident.contains(pause.at()))
        .max(Comparator.comparingDouble(MetricPoint::value))
        .map(
            pause ->
                new Mark(
                    "longest pause",
                    pause.at().minus(BESIDE_PAUSE),
                    pause.at().plusNanos(Math.round(pause.value())).plus(BESIDE_PAUSE),
                    Tone.PLAIN));
  }

  /** The answer as a picture; none if nothing is known over time and no time was lost. */
  static Optional<Block> overview(Diagnosis diagnosis, ZoneId zone) {
    List<Block.Part> parts = Answer.parts(diagnosis);
    List<String> charts = mostTelling(diagnosis);
    if (parts.isEmpty() && charts.isEmpty()) {
      return Optional.empty();
    }
    Windows windows = diagnosis.windows();
    String incident = FigureText.window(windows.incident(), zone);
    String words =
        (Opening.isIncident(diagnosis) ? "Incident " : "Analyzed ")
            + incident
            + windows
                .baseline()
                .map(one -> "; baseline " + FigureText.window(one, zone))
                .orElse("");
    return Optional.of(new Block.Overview(windows.dated() ? words : "", parts, charts));
  }

  /** User impact, pauses, and what shows the evidence of the primary suspect best. */
  private static List<String> mostTelling(Diagnosis diagnosis) {
    List<Chart> charts = diagnosis.figures().charts();
    Optional<Chart> felt = first(charts, chart -> FELT.contains(chart.id()));
    // The queue for a connection is a line of the waits.
    String same = felt.filter(chart -> chart.id().equals("waits")).isPresent() ? "queue" : "";
    return Stream.of(
            felt,
            first(charts, chart -> chart.id().equals(PAUSES)),
            diagnosis
                .primarySources()
                .flatMap(source -> charts.stream().filter(chart -> chart.shows(source)))
                .filter(chart -> !FELT.contains(chart.id()) && !chart.id().equals(PAUSES))
                .filter(chart -> !chart.id().equals("spread") && !chart.id().equals(same))
                .findFirst())
        .flatMap(Optional::stream)
        .map(ChartSection::target)
        .toList();
  }

  private static Optional<Chart> first(List<Chart> charts, Predicate<Chart> wanted) {
    return charts.stream().filter(wanted).findFirst();
  }

  /**
   * The charts that show what was read at one of these places: at the instant of the event that a
   * source names, or else all through the incident.
   */
  static List<Cell> showing(Diagnosis diagnosis, List<Source> sources) {
    List<Cell> cells = new ArrayList<>();
    for (Chart chart : diagnosis.figures().charts()) {
      List<Source> shown = sources.stream().filter(chart::shows).toList();
      if (!shown.isEmpty()) {
        cells.add(
            shown.stream()
                .flatMap(source -> diagnosis.timeOf(source).stream())
                .findFirst()
                .map(time -> Cell.of(at(chart, time)).to(target(chart), Spot.event(time)))
                .orElse(
                    Cell.of(chart.title())
                        .to(target(chart), Spot.all(diagnosis.windows().incident()))));
      }
    }
    return cells;
  }

  private static String at(Chart chart, Window time) {
    return chart.title() + " at " + INSTANT.format(time.from());
  }

  /** A figure, linked to its window in the chart. */
  static Cell linked(Diagnosis diagnosis, Metric metric, Cell cell, Optional<Window> window) {
    if (window.isEmpty()) {
      return cell;
    }
    boolean extreme = metric.name().endsWith(".max");
    return diagnosis.figures().charts().stream()
        .filter(chart -> chart.shows(metric))
        .findFirst()
        .map(
            chart ->
                cell.to(
                    target(chart), extreme ? Spot.highest(window.get()) : Spot.all(window.get())))
        .orElse(cell);
  }

  /** A fact with a time, linked to the chart of one of its two sources. */
  static Cell linked(Diagnosis diagnosis, CrossCheck check, Cell cell) {
    return check.when().stream()
        .flatMap(
            time ->
                diagnosis.figures().charts().stream()
                    .filter(chart -> tells(chart, check.a()) || tells(chart, check.b()))
                    .map(chart -> cell.to(target(chart), spot(time))))
        .findFirst()
        .orElse(cell);
  }

  private static Spot spot(Window time) {
    return time.length().compareTo(INSTANTS) <= 0 ? Spot.event(time) : Spot.all(time);
  }

  private static boolean tells(Chart chart, CrossCheck.Side side) {
    return chart.lines().stream().anyMatch(line -> side.source().isAt(line.source()));
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
        told(chart, diagnosis),
        telling(chart, diagnosis));
  }

  /** The most informative line, with the means of both windows. */
  private static Optional<Trace> telling(Chart chart, Diagnosis diagnosis) {
    Optional<Line> own = own(chart, diagnosis);
    Line line = own.orElseGet(() -> tallest(chart, diagnosis.windows().incident()));
    if (ONLY_DRAWN.contains(chart.id())) {
      return Optional.empty();
    }
    if (chart.unit() == Metric.Unit.THREADS
        && line.highest(diagnosis.windows().incident()).orElse(0) < LEAST_THREADS) {
      return Optional.empty();
    }
    Trace trace = trace(chart, line, diagnosis);
    Optional<Summary> summary =
        SUMMARIES.stream()
            .filter(one -> one.chart().equals(chart.id()))
            .filter(one -> one.line().isEmpty() || one.line().equals(line.title()))
            .findFirst();
    Optional<String> gist = summary.flatMap(one -> one.gist(diagnosis)).or(trace::gist);
    String title =
        summary
            .map(Summary::title)
            .orElse(
                line.style() == Chart.Style.BARS
                    ? FigureText.capital(line.title())
                    : diagnosis
                        .primarySuspect()
                        .map(suspect -> Causes.of(suspect).chartLines().get(line.title()))
                        .orElse(chart.title()));
    return Optional.of(new Trace(title, trace.shape(), trace.source(), gist, trace.points()));
  }

  /** The line of the waits that the primary suspect causes, if it is not flat. */
  private static Optional<Line> own(Chart chart, Diagnosis diagnosis) {
    Map<String, String> titles =
        diagnosis.primarySuspect().map(suspect -> Causes.of(suspect).chartLines()).orElse(Map.of());
    return chart.lines().stream()
        .filter(line -> titles.containsKey(line.title()))
        .filter(line -> line.highest(diagnosis.windows().incident()).orElse(0) >= LEAST_THREADS)
        .findFirst();
  }

  /**
   * Of the lines that are drawn like the first, the one that rises highest in the incident. Bars of
   * another kind (stops that are no pauses) stand in only where they dwarf the first.
   */
  private static Line tallest(Chart chart, Window window) {
    Line tallest = chart.lines().get(0);
    double least = tallest.style() == Chart.Style.BARS ? DWARFS : 1;
    for (Line line : chart.lines().subList(1, chart.lines().size())) {
      if (line.style() == tallest.style()
          && line.highest(window).orElse(0) > least * tallest.highest(window).orElse(0)) {
        tallest = line;
      }
    }
    return tallest;
  }

  /**
   * How a line of a chart is summed up by a metric: the mean of a window, or what its words say.
   *
   * @param line the title of its line; empty for any
   * @param metric the name of the metric
   * @param words behind the figure
   * @param effect of the waits in it
   */
  private record Summary(
      String chart,
      String line,
      String title,
      String metric,
      String words,
      Optional<Effect> effect) {

    Summary(String chart, String line, String title, String metric, String words) {
      this(chart, line, title, metric, words, Optional.empty());
    }

    static Summary of(Effect effect, String line, String title, String metric) {
      return new Summary("waits", line, title, metric, " threads", Optional.of(effect));
    }

    Optional<String> gist(Diagnosis diagnosis) {
      return diagnosis
          .figures()
          .metric(metric)
          .filter(ProblemSection::isSomething)
          .map(
              mean ->
                  FigureText.isKnownDuring(mean)
                      ? FigureText.course(mean)
                          + words
                          + (isMoreInDumps(diagnosis)
                              ? " by events"
                              : diagnosis
                                  .figures()
                                  .metric(metric + ".max")
                                  .map(peak -> ", peak " + FigureText.during(peak))
                                  .orElse(""))
                      : FigureText.before(mean) + words + " (baseline)");
    }

    /** Whether the ledger has the waits of this line by thread dumps, where events show fewer. */
    private boolean isMoreInDumps(Diagnosis diagnosis) {
      return diagnosis.lostTime().ledger().stream()
          .filter(entry -> effect.filter(entry.effect()::equals).isPresent())
          .anyMatch(entry -> entry.incidentThreadsInterval().isPresent());
    }
  }

  /** Links back to the figures and causes that the chart shows. */
  private static List<Cell> told(Chart chart, Diagnosis diagnosis) {
    List<Cell> told = new ArrayList<>();
    for (Metric metric : diagnosis.figures().metrics()) {
      if (chart.shows(metric) && ProblemSection.isSomething(metric)) {
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

  static String anchor(Diagnosis diagnosis, Metric metric) {
    return "metric-" + (diagnosis.figures().metrics().indexOf(metric) + 1);
  }

  static String anchor(Judgement judgement) {
    return "cause-" + judgement.hypothesis().id();
  }

  private static Trace trace(Chart chart, Line line, Diagnosis diagnosis) {
    Shape shape =
        switch (line.style()) {
          case LINE -> Shape.LINE;
          case STEPS -> Shape.STEPS;
          case BARS -> Shape.BARS;
          case STACKED -> Shape.STACKED;
          case CELLS -> Shape.CELLS;
        };
    return new Trace(
        line.title(),
        shape,
        InputSection.cell(diagnosis, line.source()),
        gist(chart, line, diagnosis),
        line.points().stream().map(point -> new Point(point.at(), point.value())).toList());
  }

  /** The peaks of both windows, labelled as peaks. */
  private static Optional<String> gist(Chart chart, Line line, Diagnosis diagnosis) {
    Windows windows = diagnosis.windows();
    OptionalDouble before = windows.baseline().map(line::highest).orElse(OptionalDouble.empty());
    OptionalDouble during = line.highest(windows.incident());
    if (before.isEmpty() && during.isEmpty()) {
      return Optional.empty();
    }
    String peak = "peak " + highest(chart, during);
    if (windows.baseline().isEmpty()) {
      return Optional.of(peak + (Opening.isIncident(diagnosis) ? " in the incident" : ""));
    }
    if (before.isEmpty()) {
      return Optional.of(peak + " (baseline: none)");
    }
    String baseline = "peak " + highest(chart, before);
    return Optional.of(
        baseline.equals(peak) ? peak + ", unchanged" : baseline + " -> " + highest(chart, during));
  }

  private static String highest(Chart chart, OptionalDouble value) {
    return value.isPresent() ? FigureText.value(chart.unit(), value.getAsDouble()) : "none";
  }
}
