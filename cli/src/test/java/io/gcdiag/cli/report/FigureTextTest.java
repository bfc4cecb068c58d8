package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.time.Window;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.Metric.Origin;
import io.gcdiag.figures.Metric.Range;
import io.gcdiag.figures.Metric.Unit;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class FigureTextTest {

  private static final Range SHORT = new Range(250e6, OptionalDouble.of(500e6));
  private static final Range LONG = new Range(10e9, OptionalDouble.empty());

  private static Metric metric(Range before, Range during) {
    return new Metric(
        "latency.p99",
        "P99 latency",
        Unit.NANOSECONDS,
        OptionalDouble.empty(),
        OptionalDouble.empty(),
        Optional.of(before),
        Optional.of(during),
        false,
        Origin.words("metrics.json"));
  }

  @Test
  void aBucketIsShownAsSuch() {
    assertEquals("250 ms to 500 ms", FigureText.before(metric(SHORT, LONG)));
  }

  @Test
  void whatLiesBeyondTheLastBucketIsMoreThanItsBound() {
    assertEquals("more than 10 s", FigureText.during(metric(SHORT, LONG)));
  }

  @Test
  void bucketsTellTheDirectionOfAChangeAndNotItsSize() {
    assertEquals("higher", FigureText.change(metric(SHORT, LONG)).text());
    assertEquals("lower", FigureText.change(metric(LONG, SHORT)).text());
    assertEquals("-", FigureText.change(metric(SHORT, SHORT)).text());
    assertEquals("-", FigureText.change(metric(LONG, LONG)).text());
  }

  @Test
  void aFigureOfTheBaselineAloneSaysThatTheIncidentHasNone() {
    Metric alone =
        new Metric(
            "latency.p99",
            "P99 latency",
            Unit.NANOSECONDS,
            OptionalDouble.of(130e6),
            OptionalDouble.empty(),
            Optional.empty(),
            Optional.empty(),
            false,
            Origin.words("requests.csv"));
    assertEquals("130 ms in the baseline, unknown in the incident", FigureText.course(alone));
  }

  @Test
  void aShareOfZeroIsNoneAndASmallOneIsNot() {
    Metric stopped =
        new Metric(
            "gc.pause.share",
            "Share of time stopped",
            Unit.RATIO,
            OptionalDouble.of(0),
            OptionalDouble.of(0.0002),
            Optional.empty(),
            Optional.empty(),
            false,
            Origin.words("jdk.GCPhasePause"));
    assertEquals("none -> less than 0.1 %", FigureText.course(stopped));
  }

  private static String change(double before, double during) {
    return FigureText.change(
            new Metric(
                "waiting.calls.mean",
                "Threads in calls",
                Unit.THREADS,
                OptionalDouble.of(before),
                OptionalDouble.of(during),
                Optional.empty(),
                Optional.empty(),
                false,
                Origin.words("jdk.SocketRead")))
        .text();
  }

  @Test
  void figuresThatReadTheSameAreUnchanged() {
    // Both are "0"; 1 and 1.5 are not.
    assertEquals("unchanged", change(0.0004, 0));
    assertEquals("unchanged", change(0, 0.0004));
    // 0.0004 is printed as 0, of which 0.62 is no multiple.
    assertEquals("new", change(0.0004, 0.62));
    assertEquals("+50.0 %", change(1, 1.5));
  }

  @Test
  void aWindowNamesTheSecondThatTheOptionsName() {
    // 0.1 ms before 11:06:25, which the options of the command line round to that second.
    Window window =
        new Window(
            Instant.parse("2026-11-23T11:06:24.9999Z"), Instant.parse("2026-11-23T11:06:59.624Z"));
    assertEquals(
        "2026-11-23 11:06:25 to 11:06:59 UTC (34.6 s)", FigureText.window(window, ZoneOffset.UTC));
  }

  /** The least figure of each unit that is not printed as a zero, and half of it. */
  @Test
  void whatIsPrintedAsAZeroIsKnownByItsValue() {
    double[] least = {6, 1, 1, 0.006, 0.006, 0.0006, 0.006, 0.006};
    Unit[] units = {
      Unit.NANOSECONDS,
      Unit.BYTES,
      Unit.BYTES_PER_SECOND,
      Unit.PER_SECOND,
      Unit.PER_MINUTE,
      Unit.RATIO,
      Unit.COUNT,
      Unit.THREADS
    };
    assertEquals(Unit.values().length, units.length);
    for (int i = 0; i < units.length; i++) {
      assertFalse(FigureText.isZero(units[i], least[i]), units[i].name());
      assertTrue(FigureText.isZero(units[i], 0.4 * least[i]), units[i].name());
      assertTrue(FigureText.isZero(units[i], 0), units[i].name());
    }
    assertEquals("0.01 us", FigureText.value(Unit.NANOSECONDS, 6));
    assertEquals("0.1 %", FigureText.value(Unit.RATIO, 0.0006));
  }

  @Test
  void aColumnIsLeftOutWhereNothingIsKnownAndNotForADashInItsText() {
    Columns<String> columns =
        new Columns<String>()
            .ids("Name", name -> name)
            .add(Column.numbers("Known"), name -> true, name -> Cell.of("-"))
            .add(Column.numbers("Unknown"), name -> false, name -> Cell.of("7"));
    assertEquals(
        List.of("Name", "Known"),
        columns.of(List.of("a")).filled().columns().stream().map(Column::title).toList());
  }
}
