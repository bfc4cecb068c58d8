package io.gcdiag.cli.report;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.cli.report.Report.Section;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Unit;
import io.gcdiag.units.Estimate;
import io.gcdiag.verdict.Diagnosis;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The predicted effect of each change: ranges, their basis and their assumptions. */
final class PredictionSection {

  /** Stands before the reason. */
  static final String NOT = "not predictable: ";

  /** Figures that users see come before those that only operators see. */
  private static final List<Quantity> FELT_FIRST =
      List.of(Quantity.LATENCY_P99, Quantity.WAIT_P99, Quantity.STOPPED, Quantity.COLLECTIONS);

  private static final String NOW = "none, as now";

  static Section of(Diagnosis diagnosis) {
    List<Prediction> predictions = diagnosis.predictions();
    List<Block> blocks = new ArrayList<>();
    if (!predictions.isEmpty()) {
      List<Prediction> known = predictions.stream().filter(p -> p.range().isPresent()).toList();
      boolean any = !known.isEmpty();
      if (any) {
        blocks.add(table(predictions, known));
      }
      blocks.add(
          Block.Paragraph.of(
              any ? "Basis of each range, or why there is none:" : "No figure can be predicted:"));
      blocks.add(Block.Bullets.of(bases(predictions).toList()));
      assumptions(predictions).ifPresent(blocks::add);
    }
    return new Section("If you change it", blocks);
  }

  /**
   * The expected effect of the change with the most predictions, or why there is none. Empty if
   * nothing was tried.
   */
  static Optional<String> best(Diagnosis diagnosis, Hypothesis cause) {
    List<Prediction> ofCause =
        diagnosis.predictions().stream().filter(p -> p.hypothesis() == cause).toList();
    List<Prediction> known =
        ofCause.stream()
            .filter(p -> p.range().isPresent() && p.quantity() != Quantity.COLLECTIONS)
            .filter(
                p -> p.quantity() != Quantity.LATENCY_P99 || !isOfPausesAndWholeTest(diagnosis, p))
            .filter(PredictionSection::improves)
            .toList();
    return known.stream()
        .map(Prediction::change)
        .distinct()
        .map(change -> known.stream().filter(p -> p.change().equals(change)).toList())
        // Of changes with equally many figures the first one wins.
        .reduce((one, other) -> other.size() > one.size() ? other : one)
        .map(
            parts ->
                parts.get(0).change()
                    + ": "
                    + parts.stream()
                        .sorted(Comparator.comparing(p -> FELT_FIRST.indexOf(p.quantity())))
                        .map(part -> expected(part, isOfWholeTest(diagnosis)))
                        .collect(Collectors.joining("; ")))
        .or(() -> whyNot(ofCause));
  }

  /** Why no latency is predicted; else why no other figure is. */
  private static Optional<String> whyNot(List<Prediction> ofCause) {
    return ofCause.stream()
        .filter(p -> p.range().isEmpty())
        .min(Comparator.comparing(p -> FELT_FIRST.indexOf(p.quantity())))
        .map(p -> NOT + p.basis());
  }

  private static boolean improves(Prediction prediction) {
    Estimate range = prediction.range().orElseThrow();
    if (prediction.now().isEmpty()) {
      return range.high() > 0;
    }
    Unit unit = unit(prediction.quantity());
    double now = prediction.now().getAsDouble();
    return range.high() <= now
        && !FigureText.value(unit, range.low()).equals(FigureText.value(unit, now));
  }

  /**
   * Whether the latency without pauses would be predicted from figures of a whole test, which show
   * too little of how latencies spread; the section on predictions has it with its basis.
   */
  private static boolean isOfPausesAndWholeTest(Diagnosis diagnosis, Prediction latency) {
    boolean ofPauses =
        diagnosis.predictions().stream()
            .anyMatch(
                other ->
                    other.quantity() == Quantity.STOPPED
                        && other.change().equals(latency.change()));
    return ofPauses && isOfWholeTest(diagnosis);
  }

  private static boolean isOfWholeTest(Diagnosis diagnosis) {
    return diagnosis.figures().metrics().stream().anyMatch(Metric::ofWholeTest);
  }

  private static String expected(Prediction prediction, boolean ofWholeTest) {
    Unit unit = unit(prediction.quantity());
    Estimate range = prediction.range().orElseThrow();
    String now =
        prediction.now().isPresent()
            ? " (%s %s)"
                .formatted(
                    ofWholeTest && prediction.quantity() == Quantity.LATENCY_P99
                        ? "whole test"
                        : "now",
                    value(unit, prediction.now().getAsDouble()))
            : "";
    String title = prediction.quantity().title();
    String inside = title.charAt(0) == 'P' ? title : title.toLowerCase(Locale.ROOT);
    return inside + " " + between(unit, range) + now;
  }

  /** One row per change with a prediction, below the present figures. */
  private static Block table(List<Prediction> predictions, List<Prediction> known) {
    Columns<String> columns = new Columns<String>().words("Change", change -> change);
    known.stream()
        .map(Prediction::quantity)
        .distinct()
        .sorted()
        .forEach(
            quantity ->
                columns.add(
                    Column.words(quantity.title()),
                    change -> figure(predictions, change, quantity)));
    Stream<String> changes = known.stream().map(Prediction::change).distinct();
    return columns.of(Stream.concat(Stream.of(NOW), changes).toList());
  }

  private static Cell figure(List<Prediction> predictions, String change, Quantity quantity) {
    if (change.equals(NOW)) {
      return Cell.of(now(predictions, quantity));
    }
    return predictions.stream()
        .filter(p -> p.change().equals(change) && p.quantity() == quantity)
        .findFirst()
        .map(PredictionSection::predicted)
        .orElse(new Cell(FigureText.NONE, Tone.MUTED));
  }

  private static String now(List<Prediction> predictions, Quantity quantity) {
    return predictions.stream()
        .filter(p -> p.quantity() == quantity && p.now().isPresent())
        .findFirst()
        .map(p -> value(unit(quantity), p.now().getAsDouble()))
        .orElse(FigureText.NONE);
  }

  private static Cell predicted(Prediction prediction) {
    Unit unit = unit(prediction.quantity());
    return prediction
        .range()
        .map(range -> new Cell(range(unit, range), Tone.STRONG))
        .orElse(new Cell("not predicted", Tone.MUTED));
  }

  /** Each basis once, after the figures that it applies to. */
  private static Stream<String> bases(List<Prediction> predictions) {
    Map<String, Set<String>> bases = new LinkedHashMap<>();
    for (Prediction prediction : predictions) {
      boolean whole =
          predictions.stream()
              .filter(other -> other.quantity() == prediction.quantity())
              .allMatch(
                  other -> other.range().isPresent() || other.basis().equals(prediction.basis()));
      String what =
          prediction.quantity().title()
              + (prediction.range().isPresent() || whole ? "" : ", " + prediction.change());
      bases.computeIfAbsent(prediction.basis(), any -> new LinkedHashSet<>()).add(what);
    }
    return bases.entrySet().stream()
        .map(basis -> String.join("; ", basis.getValue()) + ": " + basis.getKey());
  }

  private static Optional<Block> assumptions(List<Prediction> predictions) {
    List<String> assumptions =
        predictions.stream()
            .filter(prediction -> prediction.range().isPresent())
            .flatMap(prediction -> prediction.assumptions().stream())
            .distinct()
            .toList();
    return assumptions.isEmpty()
        ? Optional.empty()
        : Optional.of(Block.Paragraph.of("Assumptions: " + String.join("; ", assumptions) + "."));
  }

  private static String range(Unit unit, Estimate range) {
    String likely = value(unit, range.likely());
    boolean point = value(unit, range.low()).equals(value(unit, range.high()));
    return between(unit, range) + (point ? "" : ", likely " + likely);
  }

  /** {@code 20 ms to 40 ms}; a low end that prints as zero is none. */
  private static String between(Unit unit, Estimate range) {
    String low = FigureText.value(unit, range.low());
    String high = FigureText.value(unit, range.high());
    if (low.equals(high)) {
      return value(unit, range.high());
    }
    if (FigureText.isZero(unit, range.low())) {
      return "at most " + high;
    }
    String of = unitOf(low);
    return (of.equals(unitOf(high)) ? low.substring(0, low.length() - of.length()) : low)
        + " to "
        + high;
  }

  private static String unitOf(String figure) {
    return figure.replaceFirst("^[\\d.,]+", "");
  }

  private static String value(Unit unit, double value) {
    return unit == Unit.RATIO ? FigureText.share(value, "none") : FigureText.value(unit, value);
  }

  static Unit unit(Quantity quantity) {
    return switch (quantity) {
      case COLLECTIONS -> Unit.PER_MINUTE;
      case STOPPED -> Unit.RATIO;
      case LATENCY_P99, WAIT_P99 -> Unit.NANOSECONDS;
    };
  }
}
