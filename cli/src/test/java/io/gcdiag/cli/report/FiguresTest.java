package io.gcdiag.cli.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.diagnosis.Metric;
import io.gcdiag.diagnosis.Metric.Range;
import io.gcdiag.diagnosis.Metric.Unit;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

/** Figures that are known as ranges only. */
class FiguresTest {

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
        "metrics.json");
  }

  @Test
  void aBucketIsShownAsSuch() {
    assertEquals("250 ms to 500 ms", Figures.before(metric(SHORT, LONG)));
  }

  @Test
  void whatLiesBeyondTheLastBucketIsMoreThanItsBound() {
    assertEquals("more than 10 s", Figures.during(metric(SHORT, LONG)));
  }

  @Test
  void bucketsTellTheDirectionOfAChangeAndNotItsSize() {
    assertEquals("higher", Figures.change(metric(SHORT, LONG)));
    assertEquals("lower", Figures.change(metric(LONG, SHORT)));
    assertEquals("-", Figures.change(metric(SHORT, SHORT)));
    assertEquals("-", Figures.change(metric(LONG, LONG)));
  }
}
