package io.gcdiag.spark;

import io.gcdiag.causes.Hypothesis;
import io.gcdiag.diagnosis.Confidence;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fleet.CaseKey;
import io.gcdiag.fleet.CaseOrigin;
import io.gcdiag.fleet.CaseOutcome;
import io.gcdiag.fleet.CaseRow;
import io.gcdiag.fleet.GroupBy;
import io.gcdiag.fleet.Suspect;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * A row as columns, and back: the fields of a line of {@code cases.jsonl}, and the day. Columns may
 * be added, never renamed or dropped.
 */
final class RowColumns {

  /** By which rows are divided into folders. */
  static final String DAY = "day";

  /** The name of the case. */
  static final String CASE = "case";

  private static final String HYPOTHESES = "hypotheses";

  private static final StructType HYPOTHESIS =
      new StructType()
          .add("id", DataTypes.StringType, false)
          .add("verdict", DataTypes.StringType, false)
          .add("explainedShare", DataTypes.DoubleType)
          .add("confidence", DataTypes.StringType)
          .add("action", DataTypes.StringType, false);

  /** The columns. */
  static final StructType SCHEMA =
      texts(new StructType(), CASE, "digest", "version", "service", "host", "build")
          .add("from", DataTypes.TimestampType)
          .add("to", DataTypes.TimestampType)
          .add("conclusion", DataTypes.StringType)
          .add("primarySuspect", DataTypes.StringType)
          .add("confidence", DataTypes.StringType)
          .add("explainedShare", DataTypes.DoubleType)
          .add("lostSeconds", DataTypes.DoubleType)
          .add(HYPOTHESES, DataTypes.createArrayType(HYPOTHESIS, false))
          .add("notes", DataTypes.createArrayType(DataTypes.StringType, false))
          .add("error", DataTypes.StringType)
          .add("report", DataTypes.StringType)
          .add(DAY, DataTypes.StringType);

  private RowColumns() {}

  private static StructType texts(StructType columns, String... names) {
    StructType all = columns;
    for (String name : names) {
      all = all.add(name, DataTypes.StringType);
    }
    return all;
  }

  static Row of(CaseRow row) {
    boolean suspected = row.primary().isPresent();
    Optional<Suspect> first = row.suspects().stream().findFirst();
    return RowFactory.create(
        row.key().id(),
        row.key().digest(),
        row.key().version(),
        row.origin().service().orElse(null),
        row.origin().host().orElse(null),
        row.origin().build().orElse(null),
        row.time().map(Window::from).orElse(null),
        row.time().map(Window::to).map(RowColumns::up).orElse(null),
        row.outcome().id(),
        row.primary().map(Hypothesis::id).orElse(null),
        first
            .filter(any -> suspected)
            .flatMap(Suspect::confidence)
            .map(Confidence::id)
            .orElse(null),
        first.map(Suspect::share).map(RowColumns::number).orElse(null),
        number(row.lostSeconds()),
        row.suspects().stream().map(RowColumns::of).toArray(Row[]::new),
        row.notes().toArray(String[]::new),
        row.error(),
        row.report(),
        GroupBy.DAY.of(row));
  }

  /** Columns have microseconds; a window that is shorter still ends after it begins. */
  private static Instant up(Instant end) {
    Instant before = end.truncatedTo(ChronoUnit.MICROS);
    return before.equals(end) ? end : before.plus(1, ChronoUnit.MICROS);
  }

  private static Row of(Suspect suspect) {
    return RowFactory.create(
        suspect.cause().id(),
        suspect.verdict().id(),
        number(suspect.share()),
        suspect.confidence().map(Confidence::id).orElse(null),
        suspect.action());
  }

  private static Double number(OptionalDouble number) {
    return number.isPresent() ? Double.valueOf(number.getAsDouble()) : null;
  }

  static CaseRow row(Row row) {
    return new CaseRow(
        new CaseKey(text(row, CASE), text(row, "digest"), text(row, "version")),
        new CaseOrigin(known(row, "service"), known(row, "host"), known(row, "build")),
        time(row),
        constant(CaseOutcome.values(), CaseOutcome::id, text(row, "conclusion")).orElseThrow(),
        row.<Row>getList(row.fieldIndex(HYPOTHESES)).stream()
            .flatMap(suspect -> suspect(suspect).stream())
            .toList(),
        number(row, "lostSeconds"),
        row.getList(row.fieldIndex("notes")),
        text(row, "error"),
        text(row, "report"));
  }

  private static Optional<Window> time(Row row) {
    Optional<Instant> from = Optional.ofNullable(row.getAs("from"));
    Optional<Instant> to = Optional.ofNullable(row.getAs("to"));
    return from.isPresent() && to.isPresent()
        ? Optional.of(new Window(from.get(), to.get()))
        : Optional.empty();
  }

  /** A cause that another version knew is left out. */
  private static Optional<Suspect> suspect(Row row) {
    Optional<Hypothesis> cause = constant(Hypothesis.values(), Hypothesis::id, text(row, "id"));
    Optional<Verdict> verdict = constant(Verdict.values(), Verdict::id, text(row, "verdict"));
    return cause.isEmpty() || verdict.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Suspect(
                cause.get(),
                verdict.get(),
                number(row, "explainedShare"),
                known(row, "confidence")
                    .flatMap(id -> constant(Confidence.values(), Confidence::id, id)),
                text(row, "action")));
  }

  private static <T> Optional<T> constant(T[] values, Function<T, String> id, String text) {
    return Stream.of(values).filter(value -> id.apply(value).equals(text)).findFirst();
  }

  private static String text(Row row, String column) {
    return known(row, column).orElse("");
  }

  private static Optional<String> known(Row row, String column) {
    return Optional.ofNullable(row.getAs(column));
  }

  private static OptionalDouble number(Row row, String column) {
    Double number = row.getAs(column);
    return number == null ? OptionalDouble.empty() : OptionalDouble.of(number);
  }
}
