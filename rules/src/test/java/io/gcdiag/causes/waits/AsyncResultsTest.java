package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import org.junit.jupiter.api.Test;

/** In the incident ten requests a second wait some five seconds for the result of a chain each. */
class AsyncResultsTest {

  private static IncidentBuilder waiting(double... millis) {
    IncidentBuilder incident = incident().recorded(Signal.SOCKET_READS, 20);
    for (double each : millis) {
      incident.waits(600 / millis.length, 60, 120, WaitKind.DOWNSTREAM, "RxJava", each);
    }
    return incident;
  }

  /** With the client's timer, read every ten seconds: so many calls a second, each so long. */
  private static Finding timed(double before, double during, double seconds) {
    double[] calls = new double[13];
    double[] time = new double[13];
    for (int i = 1; i < calls.length; i++) {
      double more = 10 * (i <= 6 ? before : during);
      calls[i] = calls[i - 1] + more;
      time[i] = time[i - 1] + more * seconds;
    }
    IncidentBuilder incident = waiting(4_000, 5_000, 6_000);
    incident
        .timeline()
        .metric(MeterSketch.counter("spans", MetricMeaning.CALLS, calls))
        .metric(MeterSketch.counter("spans seconds", MetricMeaning.CALL_SECONDS, time));
    return only(new DownstreamTimeRule(), incident);
  }

  private static double share(Finding finding, Hypothesis cause) {
    return explains(finding, cause, Effect.DOWNSTREAM_WAIT);
  }

  @Test
  void whereHardlyACallIsMadeConnectionsDoNotComeBack() {
    // 40 calls a second of 2 ms, then 4: 50 requests wait, 0.008 are in a call.
    Finding finding = timed(40, 4, 0.002);
    assertEquals(0, share(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertEquals(1, share(finding, Hypothesis.CONNECTION_LEAK), 1e-9);
    assertTrue(
        finding
            .arithmetic()
            .contains(
                "by spans 4 calls a second (before: 40) and 0.01 requests in them: the"
                    + " others wait before their call"),
        () -> finding.arithmetic().toString());
  }

  @Test
  void whereAsManyCallsAreMadeThePoolMayBeTooSmall() {
    Finding finding = timed(40, 40, 0.002);
    assertEquals(0, share(finding, Hypothesis.CONNECTION_LEAK));
    assertTrue(supports(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED));
  }

  @Test
  void callsThatLastAsLongAreSlow() {
    // 10 a second of 5 s: all 50.
    assertEquals(1, share(timed(10, 10, 5), Hypothesis.SLOW_DOWNSTREAM), 1e-9);
  }

  @Test
  void withoutTimersAnAnswerAndAConnectionAreNotSeparated() {
    Finding finding = only(new DownstreamTimeRule(), waiting(4_000, 5_000, 6_000));
    assertEquals(0.5, share(finding, Hypothesis.SLOW_DOWNSTREAM), 1e-9);
    assertEquals(0.5, share(finding, Hypothesis.CONNECTION_POOL_UNDERSIZED), 1e-9);
  }

  @Test
  void whatATimeLimitEndsSaysNothingOfHowLongAnAnswerTakes() {
    Finding finding = only(new DownstreamTimeRule(), waiting(5_000));
    assertEquals(0, share(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(supports(finding, Hypothesis.CONNECTION_LEAK));
  }
}
