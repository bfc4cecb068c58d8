package io.gcdiag.accounts.requests;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Bearing;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.pauses.GcPause;
import io.gcdiag.evidence.pauses.PauseKind;
import io.gcdiag.evidence.requests.MetricMeaning;
import io.gcdiag.evidence.requests.MetricSeries;
import io.gcdiag.evidence.requests.MetricSeries.Point;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.Case;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Five minutes in intervals of ten seconds; a tail of 100 ms and what the test adds to it. */
class MovesWithTheTailRuleTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");
  private static final Duration STEP = Duration.ofSeconds(10);
  private static final int INTERVALS = 30;

  /** Three intervals in ten have a pause, of 0.2 to 1 s, with no rhythm. */
  private static final double[] PAUSES = {
    0, 0.4, 0, 0, 1, 0, 0, 0, 0.6, 0, 0, 0, 0.2, 0.8, 0, 0, 0, 0, 0, 0.5, 0, 0, 0.9, 0, 0, 0, 0,
    0.3, 0.7, 0
  };

  private static Case incident(double[] pauses, double[] tail) {
    TimelineBuilder timeline = new TimelineBuilder();
    timeline.recording(
        "recording.jfr", new Window(START, START.plus(STEP.multipliedBy(INTERVALS))));
    List<GcPause> list = new ArrayList<>();
    List<Point> latency = new ArrayList<>();
    for (int i = 0; i < tail.length; i++) {
      Instant from = START.plus(STEP.multipliedBy(i));
      // A reading tells of the time before it.
      latency.add(new Point(from.plus(STEP), tail[i]));
      if (pauses[i] > 0) {
        list.add(
            new GcPause(
                from.plusSeconds(3),
                Durations.ofSeconds(pauses[i]),
                PauseKind.YOUNG,
                "G1 Evacuation Pause",
                OptionalLong.empty(),
                Optional.empty(),
                false,
                new Source("recording.jfr", "jdk.GCPhasePause")));
      }
    }
    timeline.pauses("recording.jfr", list);
    timeline.metric(
        new MetricSeries(
            "p95",
            new TreeMap<>(Map.of("quantile", "0.95")),
            MetricMeaning.LATENCY,
            false,
            latency,
            new Source("metrics.json", "p95")));
    Timeline built = timeline.build();
    return new Case(built, new Windows(built.span(), Optional.empty(), ChosenBy.USER, true, ""));
  }

  private static double[] tail(double[] pauses, int count) {
    double[] tail = new double[count];
    for (int i = 0; i < count; i++) {
      tail[i] = 0.1 + pauses[i];
    }
    return tail;
  }

  private static List<Finding> examine(Case incident) {
    return new MovesWithTheTailRule().examine(incident);
  }

  @Test
  void pausesThatMoveWithTheTailAreALead() {
    Finding finding = examine(incident(PAUSES, tail(PAUSES, INTERVALS))).get(0);
    assertEquals(
        "time stopped in GC pauses moves with P95 (r = 1.00, 1.00 to 1.00, 30 intervals of 10 s): a lead, not a proof",
        finding.statement());
    assertEquals(
        List.of(
            new Bearing.Accompanies(Hypothesis.MEMORY_PRESSURE),
            new Bearing.Accompanies(Hypothesis.ALLOCATION_CHURN)),
        finding.bearings());
    assertEquals(
        List.of("metrics.json p95", "recording.jfr"),
        finding.sources().stream().map(Source::toString).toList());
  }

  @Test
  void aLeadExplainsNoTime() {
    for (Finding finding : examine(incident(PAUSES, tail(PAUSES, INTERVALS)))) {
      assertEquals(List.of(), finding.transfers());
      assertTrue(finding.bearings().stream().allMatch(Bearing.Accompanies.class::isInstance));
    }
  }

  @Test
  void pausesThatMoveAgainstTheTailAreNone() {
    double[] tail = new double[INTERVALS];
    for (int i = 0; i < INTERVALS; i++) {
      tail[i] = 2 - PAUSES[i];
    }
    assertEquals(List.of(), examine(incident(PAUSES, tail)));
  }

  @Test
  void oneStepIsOneObservation() {
    double[] pauses = new double[INTERVALS];
    for (int i = INTERVALS / 2; i < INTERVALS; i++) {
      pauses[i] = 0.8;
    }
    assertEquals(List.of(), examine(incident(pauses, tail(pauses, INTERVALS))));
  }

  @Test
  void fewerThanTenIntervalsAreTooFew() {
    assertEquals(List.of(), examine(incident(PAUSES, tail(PAUSES, 9))));
  }

  @Test
  void withoutALatencyOverTimeThereIsNoTail() {
    assertEquals(List.of(), examine(IncidentBuilder.incident().build()));
  }
}
