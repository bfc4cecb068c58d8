package io.gcdiag.cli.report;

import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.Chart;
import io.gcdiag.figures.Metric;
import io.gcdiag.measures.requests.EndpointExcess;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.verdict.Diagnosis;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;

/**
 * What changed: user impact, other figures, and the evidence of the suspect. Unchanged figures
 * follow.
 */
final class ProblemSection {

  /**
   * Figures that are shown even if unchanged: user latency, and pool figures that separate the pool
   * from its callers.
   */
  private static final Set<String> ALWAYS =
      Set.of(
          "request.rate",
          "request.failed",
          "request.unsent",
          "latency.p50",
          "latency.p90",
          "latency.p99",
          "pool.hold",
          "pool.hold.max",
          "pool.acquire",
          "pool.acquired.per.request",
          "database.queries.per.request",
          "pool.pending.max",
          "pool.waiting.max",
          "workers.busy.max");

  /** Means that stay folded, because their peaks, which take fewer scrapes, have a row. */
  private static final Set<String> BESIDE_PEAKS =
      Set.of("pool.pending", "pool.active", "workers.busy");

  /** Fewer threads count as none, whatever their growth. */
  private static final double LEAST_THREADS = 0.1;

  /** Smaller changes count as none. */
  private static final double MOVED = 0.1;

  /** The same for a share, in points. */
  private static final double MOVED_POINTS = 0.02;

  /** More rows would not be read. */
  private static final int MOST_ROWS = 12;

  /** Further ones have little of the delay. */
  private static final int MOST_ENDPOINTS = 5;

  /** Fewer figures are not folded. */
  private static final int WORTH_FOLDING = 3;

  private final Diagnosis diagnosis;
  private final boolean compares;

  private ProblemSection(Diagnosis diagnosis) {
    this.diagnosis = diagnosis;
    // Without a baseline two columns would be empty.
    this.compares = diagnosis.figures().metrics().stream().anyMatch(FigureText::isKnownBefore);
  }

  static Section of(Diagnosis diagnosis) {
    List<Block> blocks = new ArrayList<>(new ProblemSection(diagnosis).blocks());
    if (!diagnosis.figures().endpoints().isEmpty()) {
      blocks.add(endpoints(diagnosis.figures().endpoints()));
    }
    return new Section("Problem", blocks);
  }

  /** Those with most of the delay. */
  private static Block endpoints(List<EndpointExcess> slower) {
    List<EndpointExcess> rows = slower.subList(0, Math.min(MOST_ENDPOINTS, slower.size()));
    Columns<EndpointExcess> columns =
        new Columns<EndpointExcess>()
            .ids("Slower endpoint", EndpointExcess::endpoint)
            .numbers(
                "Requests/s",
                one -> course(one, side -> Numbers.threeDigits(side.rate().perSecond())))
            .numbers("Mean", one -> course(one, side -> Durations.format(side.mean())));
    if (rows.stream().anyMatch(one -> one.during().median().isPresent())) {
      columns
          .numbers("P50", one -> course(one, side -> latency(side.median())))
          .numbers("P99", one -> course(one, side -> latency(side.p99())));
    }
    return columns.numbers("Of the delay", one -> FigureText.share(one.share())).of(rows);
  }

  private static String latency(Optional<Duration> percentile) {
    return percentile.map(Durations::format).orElse(FigureText.NONE);
  }

  private static String course(EndpointExcess one, Function<EndpointExcess.Side, String> figure) {
    return figure.apply(one.before()) + " -> " + figure.apply(one.during());
  }

  private List<Block> blocks() {
    List<Metric> shown =
        diagnosis.figures().metrics().stream().filter(ProblemSection::isSomething).toList();
    List<Metric> telling = telling(shown);
    List<Metric> others = shown.stream().filter(metric -> !telling.contains(metric)).toList();
    if (telling.isEmpty() || others.size() < WORTH_FOLDING) {
      return shown.isEmpty() ? List.of() : List.of(table(shown));
    }
    return List.of(
        table(telling),
        new Block.Details(Cell.of(others.size() + " more figures"), List.of(table(others))));
  }

  /** Whether it gets a row; a figure that is zero before and during gets none. */
  static boolean isSomething(Metric metric) {
    return !isNothing(metric, metric.baseline()) || !isNothing(metric, metric.incident());
  }

  /** User latency, and what moved of the suspect's figures; if none did, what moved most. */
  private List<Metric> telling(List<Metric> shown) {
    List<Metric> rows = shown.stream().filter(one -> !BESIDE_PEAKS.contains(one.name())).toList();
    Set<Metric> kept = new HashSet<>();
    rows.stream().filter(metric -> ALWAYS.contains(metric.name())).forEach(kept::add);
    List<Metric> moved =
        rows.stream().filter(metric -> moved(metric) && !kept.contains(metric)).toList();
    List<Metric> ofTheCause =
        moved.stream()
            .filter(one -> diagnosis.primarySources().anyMatch(from -> shows(one, from)))
            .toList();
    (ofTheCause.isEmpty() ? moved : ofTheCause)
        .stream()
            .sorted(Comparator.comparingDouble(ProblemSection::factor).reversed())
            .limit(Math.max(0, MOST_ROWS - kept.size()))
            .forEach(kept::add);
    return rows.stream().filter(kept::contains).toList();
  }

  /** By what factor it rose or fell, at least 1; infinite from nothing or to nothing. */
  private static double factor(Metric metric) {
    double before = Math.abs(metric.baseline().orElse(0));
    double during = Math.abs(metric.incident().orElse(0));
    return Math.max(before, during) / Math.min(before, during);
  }

  /** Whether a figure is printed as a zero, or is of no weight. */
  private static boolean isNothing(Metric metric, OptionalDouble value) {
    if (value.isEmpty()) {
      return metric.incidentRange().isEmpty();
    }
    boolean few =
        metric.unit() == Metric.Unit.THREADS && Math.abs(value.getAsDouble()) < LEAST_THREADS;
    return few || FigureText.isZero(metric.unit(), value.getAsDouble());
  }

  private boolean shows(Metric metric, Source source) {
    // Heap figures belong to the chart of pauses.
    boolean ofHeap = metric.name().startsWith("heap.");
    return diagnosis.figures().charts().stream()
        .filter(chart -> chart.shows(metric) || ofHeap && chart.id().equals("pauses"))
        .anyMatch((Chart chart) -> chart.shows(source));
  }

  private static boolean moved(Metric metric) {
    OptionalDouble before = metric.baseline();
    OptionalDouble during = metric.incident();
    if (before.isEmpty() || during.isEmpty()) {
      return FigureText.isApart(metric);
    }
    double difference = Math.abs(during.getAsDouble() - before.getAsDouble());
    return metric.unit() == Metric.Unit.RATIO
        ? difference >= MOVED_POINTS
        : difference > MOVED * Math.abs(before.getAsDouble());
  }

  private Block table(List<Metric> metrics) {
    Windows windows = diagnosis.windows();
    Columns<Metric> columns = new Columns<>();
    columns.add(
        Column.words("Metric"),
        one -> Cell.of(one.title()).at(ChartSection.anchor(diagnosis, one)));
    if (compares) {
      columns.add(
          Column.numbers("Before"),
          one ->
              figure(
                  one,
                  FigureText.before(one),
                  windows.baseline().filter(any -> FigureText.isKnownBefore(one))));
    }
    columns.add(
        Column.numbers("During"),
        one ->
            figure(
                one,
                FigureText.during(one),
                Optional.of(windows.incident()).filter(any -> FigureText.isKnownDuring(one))));
    if (compares) {
      columns.add(Column.numbers("Change"), FigureText::change);
    }
    return columns
        .add(Column.aside("Source"), one -> InputSection.briefly(diagnosis, one.source()))
        .of(metrics);
  }

  private Cell figure(Metric metric, String figure, Optional<Window> window) {
    return ChartSection.linked(diagnosis, metric, Cell.of(figure), window);
  }
}
