package io.gcdiag.cli.report;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Range;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Figures of a diagnosis as words. */
final class FigureText {

  static final String NONE = "-";

  private static final Cell UNKNOWN = new Cell(NONE, Tone.MUTED);
  private static final Cell UNCHANGED = new Cell("unchanged", Tone.MUTED);

  /** Changes below half of the last printed digit count as none. */
  private static final double LEAST_CHANGE = 0.0005;

  private static final DateTimeFormatter DAY_AND_TIME =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter MINUTE =
      DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm", Locale.ROOT);
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT);
  private static final DateTimeFormatter DAY =
      DateTimeFormatter.ofPattern("uuuu-MM-dd", Locale.ROOT);

  /** No JVM with unified logging ran before: such an instant is an uptime counted from 1970. */
  private static final Instant LOG_WITHOUT_DATES = Instant.parse("1990-01-01T00:00:00Z");

  /** Shares are printed in tenths of a percent. */
  private static final double PRINTED_PARTS = 1000;

  static String before(Metric metric) {
    return value(metric.unit(), metric.baseline(), metric.baselineRange());
  }

  static String during(Metric metric) {
    return value(metric.unit(), metric.incident(), metric.incidentRange());
  }

  /** {@code 48 ms -> 1.04 s}; the second alone where the first is not known. */
  static String course(Metric metric) {
    String before = before(metric);
    String during = during(metric);
    if (!isKnownBefore(metric) || before.equals(during)) {
      return during;
    }
    return isKnownDuring(metric)
        ? before + " -> " + during
        : before + " in the baseline, unknown in the incident";
  }

  /** Whether anything is known of the first of a metric's two figures. */
  static boolean isKnownBefore(Metric metric) {
    return isFinite(metric.baseline()) || metric.baselineRange().isPresent();
  }

  /** Whether anything is known of the second of a metric's two figures. */
  static boolean isKnownDuring(Metric metric) {
    return isFinite(metric.incident()) || metric.incidentRange().isPresent();
  }

  private static boolean isFinite(OptionalDouble value) {
    return value.isPresent() && Double.isFinite(value.getAsDouble());
  }

  private static String value(Metric.Unit unit, OptionalDouble value, Optional<Range> range) {
    if (isFinite(value)) {
      return unit == Metric.Unit.RATIO
          ? share(value.getAsDouble(), "none")
          : value(unit, value.getAsDouble());
    }
    return range.map(known -> range(unit, known)).orElse(NONE);
  }

  private static String range(Metric.Unit unit, Range range) {
    String least = value(unit, range.atLeast());
    return range.atMost().isPresent()
        ? least + " to " + value(unit, range.atMost().getAsDouble())
        : "more than " + least;
  }

  static String value(Metric.Unit unit, double value) {
    return switch (unit) {
      case NANOSECONDS -> Durations.format(Duration.ofNanos(Math.round(value)));
      case BYTES -> bytes(value);
      case BYTES_PER_SECOND -> bytes(value) + "/s";
      case PER_SECOND -> new Rate(Math.max(0, value)).toString();
      case PER_MINUTE -> Numbers.threeDigits(value) + "/min";
      case RATIO -> new Ratio(value).toString();
      case COUNT, THREADS -> Numbers.threeDigits(value);
    };
  }

  /** Whether a figure is so small that a zero is printed. */
  static boolean isZero(Metric.Unit unit, double value) {
    return switch (unit) {
      case NANOSECONDS -> Durations.isNothing(Duration.ofNanos(Math.round(value)));
      case BYTES, BYTES_PER_SECOND -> Math.round(value) == 0;
      case PER_SECOND -> Numbers.isNothing(Math.max(0, value));
      case RATIO -> isNothing(value);
      case PER_MINUTE, COUNT, THREADS -> Numbers.isNothing(value);
    };
  }

  static String bytes(double value) {
    String size = Bytes.of(Math.round(Math.abs(value))).toString();
    return value < 0 ? "-" + size : size;
  }

  /** How a figure changed; shares by percentage points, everything else by percent. */
  static Cell change(Metric metric) {
    if (metric.baseline().isEmpty() || metric.incident().isEmpty()) {
      return isApart(metric)
          ? changed(isAbove(metric.incidentRange(), metric.baselineRange()) ? "higher" : "lower")
          : UNKNOWN;
    }
    double before = metric.baseline().getAsDouble();
    double during = metric.incident().getAsDouble();
    if (!Double.isFinite(before) || !Double.isFinite(during)) {
      return UNKNOWN;
    }
    if (before(metric).equals(during(metric))) {
      // Both print alike, so a change would contradict the figures.
      return UNCHANGED;
    }
    double difference = during - before;
    if (metric.unit() == Metric.Unit.RATIO) {
      return Math.abs(difference) < LEAST_CHANGE
          ? UNCHANGED
          : changed(new Ratio(printed(during) - printed(before)).signed().replace("%", "points"));
    }
    if (isZero(metric.unit(), before)) {
      // A factor on a figure that prints as zero is meaningless.
      return changed("new");
    }
    double growth = difference / Math.abs(before);
    return Math.abs(growth) < LEAST_CHANGE ? UNCHANGED : changed(new Ratio(growth).signed());
  }

  private static Cell changed(String how) {
    return new Cell(how, Tone.STRONG);
  }

  /** Ranges that do not overlap give the direction of the change, not its size. */
  static boolean isApart(Metric metric) {
    return isAbove(metric.incidentRange(), metric.baselineRange())
        || isAbove(metric.baselineRange(), metric.incidentRange());
  }

  private static boolean isAbove(Optional<Range> one, Optional<Range> other) {
    return one.isPresent() && other.filter(one.get()::isAbove).isPresent();
  }

  /** As printed, so that the change is the difference of what a reader sees. */
  private static double printed(double share) {
    return Math.round(share * PRINTED_PARTS) / PRINTED_PARTS;
  }

  /** A share in words that distinguish none from what would be printed as 0.0 %. */
  static String share(double share, String none) {
    return share == 0 ? none : new Ratio(share).share();
  }

  static String share(OptionalDouble share) {
    return share.isPresent() ? share(share.getAsDouble()) : NONE;
  }

  static String share(double share) {
    return Double.isFinite(share) ? new Ratio(share).toString() : NONE;
  }

  /** Whether a share is printed as a zero. */
  static boolean isNothing(double share) {
    return Double.isFinite(share) && new Ratio(share).isNothing();
  }

  /** {@code 2026-03-01 01:14:00 to 01:15:00 UTC (60 s)}, as clocks in that time zone show it. */
  static String window(Window window, ZoneId zone) {
    if (window.from().isBefore(LOG_WITHOUT_DATES)) {
      return Durations.format(Duration.between(Instant.EPOCH, window.from()))
          + " to "
          + Durations.format(Duration.between(Instant.EPOCH, window.to()))
          + " after the start of the JVM ("
          + Durations.format(window.length())
          + ")";
    }
    Instant from = toMillis(window.from());
    Instant to = toMillis(window.to());
    DateTimeFormatter day = DAY.withZone(zone);
    boolean sameDay = day.format(from).equals(day.format(to));
    return DAY_AND_TIME.withZone(zone).format(from)
        + " to "
        + (sameDay ? TIME : DAY_AND_TIME).withZone(zone).format(to)
        + (zone.equals(ZoneOffset.UTC) ? " UTC (" : " " + zone.getId() + " (")
        + Durations.format(window.length())
        + ")";
  }

  /** Incident and baseline without their lengths, and the day once if it is the same. */
  static String compared(Windows windows, ZoneId zone) {
    String day = DAY.withZone(zone).format(windows.incident().from()) + " ";
    String baseline =
        windows.baseline().map(one -> window(one, zone).replace(day, "")).orElse("none found");
    return Cell.of(window(windows.incident(), zone) + ", baseline " + baseline)
        .withoutBrackets()
        .replaceFirst(" UTC(?=.* UTC)", "");
  }

  /** {@code 2026-03-01 01:14}, as clocks in that time zone show it. */
  static String minute(Instant at, ZoneId zone) {
    return MINUTE.withZone(zone).format(at);
  }

  /** Rounded, so that a window and the options that set it name the same second. */
  static Instant toMillis(Instant at) {
    return at.plus(500, ChronoUnit.MICROS).truncatedTo(ChronoUnit.MILLIS);
  }

  /** The first of several names, and how many more there are. */
  static String some(List<String> names, int most) {
    int more = names.size() - most;
    return names.stream().limit(most).collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }

  /** A statement as a sentence: rules write them in lower case, to stand in tables as well. */
  static String sentence(String statement) {
    if (statement.isEmpty()) {
      return statement;
    }
    return capital(statement) + (statement.endsWith(".") ? "" : ".");
  }

  static String capital(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1);
  }
}
