package io.gcdiag.spark;

import static org.apache.spark.sql.functions.col;
import static org.apache.spark.sql.functions.timestamp_micros;
import static org.apache.spark.sql.functions.unix_micros;

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
import java.util.Collection;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
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

  /** Of the files of the case. */
  static final String DIGEST = "digest";

  private static final String HYPOTHESES = "hypotheses";
  private static final String FROM = "from";
  private static final String TO = "to";

  private static final int NANOS_IN_MICRO = 1_000;

  private static final StructType HYPOTHESIS =
      new StructType()
          .add("id", DataTypes.StringType, false)
          .add("verdict", DataTypes.StringType, false)
          .add("explainedShare", DataTypes.DoubleType)
          .add("confidence", DataTypes.StringType)
          .add("action", DataTypes.StringType, false);

  /** The columns. */
  static final StructType SCHEMA = schema(DataTypes.TimestampType);

  /**
   * The same with times as microseconds since 1970: which class stands for a time depends on
   * settings of the cluster.
   */
  private static final StructType PLAIN = schema(DataTypes.LongType);

  private RowColumns() {}

  private static StructType schema(DataType time) {
    return texts(new StructType(), CASE, DIGEST, "version", "service", "host", "build")
        .add(FROM, time)
        .add(TO, time)
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
  }

  private static StructType texts(StructType columns, String... names) {
    StructType all = columns;
    for (String name : names) {
      all = all.add(name, DataTypes.StringType);
    }
    return all;
  }

  /** Rows with the columns of the schema. */
  static Dataset<Row> of(SparkSession spark, Collection<CaseRow> rows) {
    return spark
        .createDataFrame(rows.stream().map(RowColumns::of).toList(), PLAIN)
        .withColumn(FROM, timestamp_micros(col(FROM)))
        .withColumn(TO, timestamp_micros(col(TO)));
  }

  /** Rows with the columns of the schema, as {@link #row} reads them. */
  static Dataset<Row> plain(Dataset<Row> stored) {
    return stored.withColumn(FROM, unix_micros(col(FROM))).withColumn(TO, unix_micros(col(TO)));
  }

  private static Row of(CaseRow row) {
    boolean suspected = row.primary().isPresent();
    Optional<Suspect> first = row.suspects().stream().findFirst();
    return RowFactory.create(
        row.key().id(),
        row.key().digest(),
        row.key().version(),
        row.origin().service().orElse(null),
        row.origin().host().orElse(null),
        row.origin().build().orElse(null),
        row.time().map(Window::from).map(RowColumns::micros).orElse(null),
        row.time().map(Window::to).map(RowColumns::microsUp).orElse(null),
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
        GroupBy.DAY.of(row.origin(), row.time().map(Window::from)));
  }

  private static Long micros(Instant time) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, time);
  }

  /** A window that is shorter than a microsecond still ends after it begins. */
  private static Long microsUp(Instant end) {
    return micros(end.plusNanos(NANOS_IN_MICRO - 1));
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

  /** What a plain row says. */
  static CaseRow row(Row row) {
    return new CaseRow(
        new CaseKey(text(row, CASE), text(row, DIGEST), text(row, "version")),
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
    Optional<Long> from = Optional.ofNullable(row.getAs(FROM));
    Optional<Long> to = Optional.ofNullable(row.getAs(TO));
    return from.isPresent() && to.isPresent()
        ? Optional.of(new Window(instant(from.get()), instant(to.get())))
        : Optional.empty();
  }

  private static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
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
