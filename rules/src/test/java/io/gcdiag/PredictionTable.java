package io.gcdiag;

import io.gcdiag.PredictedFix.Figure;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Predicted from the incident, measured in its fix: the table of {@code docs/predictions.md}, and a
 * row for each figure.
 */
final class PredictionTable {

  private static final String NONE = "–";

  private static final String OF_OTHERS = "## P99 latency of the blind tests' fixes\n";

  private static final List<Quantity> QUANTITIES =
      List.of(Quantity.LATENCY_P99, Quantity.COLLECTIONS, Quantity.STOPPED);

  private PredictionTable() {}

  /** Of fix runs that no model was built with. */
  static String ofOthers(List<PredictedFix> fixes) {
    List<Figure> figures = figures(fixes, Optional.empty());
    return "\n" + OF_OTHERS + "\nMedian error " + median(figures) + ". " + inside(figures) + "\n";
  }

  static String tables(List<PredictedFix> fixes) {
    StringBuilder tables = new StringBuilder();
    List<Figure> all = figures(fixes, Optional.empty());
    tables
        .append("**Median error ")
        .append(median(all))
        .append(
            "** over all figures: what is stated as likeliest against what the fix run measured. ")
        .append(inside(all))
        .append("\n\n| figure | median error | measured inside the range | not predicted |\n")
        .append("|---|---|---|---|\n");
    for (Quantity quantity : QUANTITIES) {
      List<Figure> figures = figures(fixes, Optional.of(quantity));
      long predicted = figures.stream().filter(f -> f.inside().isPresent()).count();
      tables
          .append("| ")
          .append(quantity.title())
          .append(" | ")
          .append(median(figures))
          .append(" | ")
          .append(count(figures, true))
          .append(" of ")
          .append(predicted)
          .append(" | ")
          .append(figures.size() - predicted)
          .append(" |\n");
    }
    return tables.toString();
  }

  /** A row for each figure, by quantity, then of the others, and why what is not predicted. */
  static String rows(List<PredictedFix> fixes, List<PredictedFix> others) {
    StringBuilder rows = new StringBuilder();
    for (Quantity quantity : QUANTITIES) {
      rows.append(rows("## " + quantity.title() + "\n", fixes, Optional.of(quantity)));
    }
    return rows.append(refusals(fixes))
        .append("\n")
        .append(rows(OF_OTHERS, others, Optional.empty()))
        .append(refusals(others))
        .toString();
  }

  static String rows(String title, List<PredictedFix> fixes, Optional<Quantity> quantity) {
    StringBuilder rows =
        new StringBuilder(title)
            .append("\n| incident | change | incident window | predicted | measured | inside |")
            .append(" error |\n|---|---|---|---|---|---|---|\n");
    for (PredictedFix fix : fixes) {
      figures(List.of(fix), quantity).forEach(figure -> rows.append(row(fix, figure)));
    }
    return rows.append("\n").toString();
  }

  private static String row(PredictedFix fix, Figure figure) {
    Prediction predicted = figure.predicted();
    Quantity quantity = predicted.quantity();
    return "| `"
        + fix.name()
        + "` | "
        + predicted.change()
        + " | "
        + value(quantity, predicted.now())
        + " | "
        + predicted
            .range()
            .map(
                range ->
                    value(quantity, OptionalDouble.of(range.low()))
                        + " to "
                        + value(quantity, OptionalDouble.of(range.high())))
            .orElse(NONE)
        + " | "
        + value(quantity, figure.measured())
        + " | "
        + figure.inside().map(in -> in ? "yes" : "**no**").orElse(NONE)
        + " | "
        + (figure.error().isPresent() ? percent(figure.error().getAsDouble()) : NONE)
        + " |\n";
  }

  /** Why nothing was predicted, and how often. */
  private static String refusals(List<PredictedFix> fixes) {
    StringBuilder text = new StringBuilder("## Not predicted\n\n| why | figures |\n|---|---|\n");
    figures(fixes, Optional.empty()).stream()
        .map(Figure::predicted)
        .filter(prediction -> prediction.range().isEmpty())
        .map(Prediction::basis)
        .distinct()
        .sorted()
        .forEach(
            why ->
                text.append("| ")
                    .append(why)
                    .append(" | ")
                    .append(
                        figures(fixes, Optional.empty()).stream()
                            .filter(f -> f.predicted().range().isEmpty())
                            .filter(f -> f.predicted().basis().equals(why))
                            .count())
                    .append(" |\n"));
    return text.toString();
  }

  private static List<Figure> figures(List<PredictedFix> fixes, Optional<Quantity> quantity) {
    List<Figure> figures = new ArrayList<>();
    for (PredictedFix fix : fixes) {
      fix.figures().stream()
          .filter(f -> quantity.filter(q -> q != f.predicted().quantity()).isEmpty())
          .forEach(figures::add);
    }
    return figures;
  }

  private static String median(List<Figure> figures) {
    double[] errors =
        figures.stream().flatMapToDouble(figure -> figure.error().stream()).sorted().toArray();
    return errors.length == 0
        ? NONE
        : percent(errors[errors.length / 2]) + " (n = " + errors.length + ")";
  }

  private static String inside(List<Figure> figures) {
    long in = count(figures, true);
    long out = count(figures, false);
    long none = figures.size() - in - out;
    return "Of "
        + figures.size()
        + " figures "
        + in
        + " lie inside the range, "
        + out
        + " outside, and "
        + none
        + " are not predicted.";
  }

  private static long count(List<Figure> figures, boolean inside) {
    return figures.stream().filter(f -> f.inside().equals(Optional.of(inside))).count();
  }

  private static String percent(double fraction) {
    return Numbers.threeDigits(100 * fraction) + " %";
  }

  private static String value(Quantity quantity, OptionalDouble value) {
    if (value.isEmpty()) {
      return NONE;
    }
    return switch (quantity) {
      case COLLECTIONS -> Numbers.threeDigits(value.getAsDouble()) + "/min";
      case STOPPED -> Numbers.threeDigits(100 * value.getAsDouble()) + " %";
      case LATENCY_P99, WAIT_P99 ->
          Durations.format(Duration.ofNanos(Math.round(value.getAsDouble())));
    };
  }
}
