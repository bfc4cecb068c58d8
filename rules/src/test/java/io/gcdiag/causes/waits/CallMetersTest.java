package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import io.gcdiag.sketches.Threads;
import io.gcdiag.sketches.WorkerSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallMetersTest {

  /** A client's timer, read every ten seconds, over the baseline (60 s) and the incident (60 s). */
  private static IncidentBuilder timer(
      double perSecondBefore, double secondsBefore, double perSecond, double seconds) {
    return timer(
        "http_client_requests_seconds",
        MetricMeaning.CALLS,
        perSecondBefore,
        secondsBefore,
        perSecond,
        seconds);
  }

  private static IncidentBuilder timer(
      String name,
      MetricMeaning counted,
      double perSecondBefore,
      double secondsBefore,
      double perSecond,
      double seconds) {
    double[] calls = new double[13];
    double[] time = new double[13];
    for (int i = 1; i < calls.length; i++) {
      double more = 10 * (i <= 6 ? perSecondBefore : perSecond);
      calls[i] = calls[i - 1] + more;
      time[i] = time[i - 1] + more * (i <= 6 ? secondsBefore : seconds);
    }
    IncidentBuilder incident = incident();
    incident
        .timeline()
        .metric(MeterSketch.counter(name + "_count", counted, calls))
        .metric(MeterSketch.counter(name + "_sum", MetricMeaning.CALL_SECONDS, time));
    return incident;
  }

  /** The same, read from another file. */
  private static MetricSeries spans(MetricSeries timer) {
    return new MetricSeries(
        timer.name(),
        timer.labels(),
        timer.meaning(),
        timer.counter(),
        timer.points(),
        new Source("spans.jsonl", "spans"));
  }

  private static List<Finding> findings(MeasuredIncident incident) {
    return new DownstreamTimeRule().examine(incident);
  }

  @Test
  void callsThatTakeLongerByTheClientsTimerAreASlowService() {
    // 50/s x 20 ms = 1 request in calls, 50/s x 500 ms = 25.
    MeasuredIncident incident = timer(50, 0.02, 50, 0.5).build();
    assertEquals(25, incident.effects().during(Effect.DOWNSTREAM_WAIT), 1e-6);
    assertEquals(1, incident.effects().before(Effect.DOWNSTREAM_WAIT).orElseThrow(), 1e-6);
    // 24 more for 60 s.
    assertEquals(1_440, incident.effects().excessSeconds(Effect.DOWNSTREAM_WAIT), 1e-3);
    Finding finding = findings(incident).get(0);
    assertEquals(
        "by the client's own timer calls to other services take 500 ms on average (before: 20 ms),"
            + " 50/s; 25 requests are in calls at a time (before: 1)",
        finding.statement());
    assertEquals(0.5, value(finding, "meanCallSeconds"), 1e-9);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void theTimerOfADatabaseClientTimesItsQueries() {
    IncidentBuilder incident =
        timer("db_client_operation_duration_seconds", MetricMeaning.QUERIES, 50, 0.02, 50, 0.5);
    // Another library counts the same queries and does not time them.
    incident
        .timeline()
        .metric(
            MeterSketch.counter(
                "hibernate_statements_total", MetricMeaning.QUERIES, 0, 500, 1000, 1500));
    assertEquals(25, incident.build().effects().during(Effect.DOWNSTREAM_WAIT), 1e-6);
  }

  @Test
  void callsOfOneHostThatTwoFilesCountAreCountedOnce() {
    // 50/s x 500 ms by both.
    IncidentBuilder incident = timer(50, 0.02, 50, 0.5);
    double[] calls = new double[13];
    double[] time = new double[13];
    for (int i = 1; i < calls.length; i++) {
      calls[i] = calls[i - 1] + 500;
      time[i] = time[i - 1] + 500 * (i <= 6 ? 0.02 : 0.5);
    }
    incident
        .timeline()
        .metric(spans(MeterSketch.counter("spans", MetricMeaning.CALLS, calls)))
        .metric(spans(MeterSketch.counter("spans seconds", MetricMeaning.CALL_SECONDS, time)));
    assertEquals(25, incident.build().effects().during(Effect.DOWNSTREAM_WAIT), 1e-6);
  }

  @Test
  void moreCallsOfTheSameLengthAreNoSlowService() {
    // 50/s and 200/s x 20 ms.
    MeasuredIncident incident = timer(50, 0.02, 200, 0.02).build();
    assertEquals(4, incident.effects().during(Effect.DOWNSTREAM_WAIT), 1e-6);
    assertEquals(0, incident.effects().excessSeconds(Effect.DOWNSTREAM_WAIT), 1e-6);
    assertEquals(
        0, explains(findings(incident).get(0), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void moreCallsOfTheSameLengthByEachRequestAreALoop() {
    // 20 requests a second; 50/s and 440/s x 20 ms: 1 and 8.8 requests in calls.
    MeasuredIncident incident = timer(50, 0.02, 440, 0.02).requests(20, 60, 450).build();
    Finding finding = findings(incident).get(0);
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(CallsWithoutEvents.ONE_CALL, finding.actions().get(Hypothesis.SLOW_DOWNSTREAM));
  }

  /** 0.04 requests in calls are few, and yet all of the requests' time. */
  @Test
  void ofAQuietServiceTwentyTimesTheQueriesOfARequestAreALoop() {
    // 20 requests a second; 20/s and 400/s x 2 ms: 0.04 and 0.8 requests in calls.
    MeasuredIncident incident = timer(20, 0.002, 400, 0.002).requests(20, 6, 45).build();
    Finding finding = findings(incident).get(0);
    assertEquals(CallsWithoutEvents.ONE_CALL, finding.actions().get(Hypothesis.SLOW_DOWNSTREAM));
    assertEquals("calls per request: 1 -> 20", finding.figures().get(0).toString());
  }

  /** 267 ms of a call, and 1 ms in the service that is called, which begins 200 ms late. */
  @Test
  void callsThatAreNoLongerInTheCalledServiceWaitOutsideOfIt() {
    Finding finding = findings(served(0.001, 0.2)).get(0);
    String advice = finding.actions().get(Hypothesis.SLOW_DOWNSTREAM);
    assertTrue(advice.startsWith("calls wait before other services takes them up"), advice);
    assertEquals(
        "of it in the called service, by its spans: 1 ms", finding.figures().get(1).toString());
    // It begins at once, and its answer is late.
    advice = findings(served(0.001, 0.001)).get(0).actions().get(Hypothesis.SLOW_DOWNSTREAM);
    assertTrue(advice.startsWith("calls wait outside of other services: look at the net"), advice);
    // It has most of the time itself.
    assertEquals(Map.of(), findings(served(0.25, 0.001)).get(0).actions());
  }

  /** 20 calls a second of 3 ms and then 267 ms; the called service took 1 ms after 1 ms. */
  private static MeasuredIncident served(double seconds, double beforeSeconds) {
    double[] calls = new double[13];
    double[] time = new double[13];
    double[] until = new double[13];
    for (int i = 1; i < calls.length; i++) {
      calls[i] = calls[i - 1] + 200;
      time[i] = time[i - 1] + 200 * (i <= 6 ? 0.001 : seconds);
      until[i] = until[i - 1] + 200 * (i <= 6 ? 0.001 : beforeSeconds);
    }
    IncidentBuilder incident = timer(20, 0.003, 20, 0.267);
    incident
        .timeline()
        .metric(MeterSketch.counter("served", MetricMeaning.SERVED_CALLS, calls))
        .metric(MeterSketch.counter("served seconds", MetricMeaning.SERVED_SECONDS, time))
        .metric(MeterSketch.counter("before", MetricMeaning.BEFORE_SERVED_SECONDS, until));
    return incident.build();
  }

  @Test
  void answersThatMayWaitForAFullMachineAreALeadAlone() {
    IncidentBuilder full = timer(50, 0.02, 50, 0.5);
    for (int second = 0; second < 120; second++) {
      full.cpu(second, second < 60 ? 0.3 : 0.97, second < 60 ? 0.4 : 0.99);
    }
    Finding finding = timed(full);
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void answersThatWaitForAFullEventLoopAreNoSlowService() {
    // Two threads take the answers; both are in calls of their own for all of the incident.
    IncidentBuilder full = timer(50, 0.02, 50, 0.5).recorded(Signal.THREAD_PARKS, 20);
    WorkerSketch.group(full, 60, 120, "loop-N", false, 2, 2, Map.of());
    full.sample(new AnsweringGroup(at(63), "loop-N", "Jetty", 12));
    Finding finding = timed(full);
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertEquals(
        1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.DOWNSTREAM_WAIT), 1e-9);
    // Half of that, and a free thread takes each answer.
    IncidentBuilder free = timer(50, 0.02, 50, 0.5).recorded(Signal.THREAD_PARKS, 20);
    WorkerSketch.group(free, 60, 120, "loop-N", false, 2, 1, Map.of(WaitKind.IDLE, 1.0));
    free.sample(new AnsweringGroup(at(63), "loop-N", "Jetty", 12));
    assertEquals(
        1, explains(timed(free), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void loopsThatAllDumpsFindInCallsHoldUpAnswersIfManyRequestsPassThem() {
    // 200 requests a second: each holds one of two loops for at most 2 / 200 = 10 ms, and a call
    // took 20 ms before.
    Finding many = timed(loopsInCalls(true).requests(200, 30, 500));
    assertEquals(1, explains(many, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertTrue(many.arithmetic().get(1).contains("for at most 10 ms (2 / 200/s)"), many.toString());
    // 50 a second: each may hold one for 40 ms, and so calls may well take longer.
    assertEquals(
        1,
        explains(
            timed(loopsInCalls(true).requests(50, 30, 500)),
            Hypothesis.SLOW_DOWNSTREAM,
            Effect.DOWNSTREAM_WAIT),
        1e-9);
    // Threads that are no loops take no answers of an asynchronous client.
    assertEquals(
        1,
        explains(
            timed(loopsInCalls(false).requests(200, 30, 500)),
            Hypothesis.SLOW_DOWNSTREAM,
            Effect.DOWNSTREAM_WAIT),
        1e-9);
  }

  /** Three dumps of two threads in calls; the server's own threads are idle. */
  private static IncidentBuilder loopsInCalls(boolean loops) {
    List<ThreadState> threads = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      threads.add(
          Threads.thread(
              "loop-" + i,
              "RUNNABLE",
              ThreadActivity.IN_DOWNSTREAM_CALL,
              "",
              false,
              new ThreadPosition(
                  1,
                  "",
                  ThreadPosition.UNKNOWN_CPU,
                  ThreadPosition.NO_VIRTUAL_THREAD,
                  Optional.empty(),
                  Optional.empty(),
                  false,
                  loops,
                  false)));
      threads.add(Threads.thread("exec-" + i, "", ThreadActivity.IDLE, "", true));
    }
    return timer(50, 0.02, 50, 0.5).dump(70, threads).dump(80, threads).dump(90, threads);
  }

  @Test
  void dumpsThatShowAsManyCallsAsTheTimerHideNoneOfIt() {
    // 4/s x 3 calls and then 4/s x 30 of 15 ms: 0.18 and 1.8 in progress, and two in each dump.
    List<ThreadState> two =
        List.of(
            Threads.thread("exec-1", "RUNNABLE", ThreadActivity.IN_DOWNSTREAM_CALL, "db", true),
            Threads.thread("exec-2", "RUNNABLE", ThreadActivity.IN_DOWNSTREAM_CALL, "db", true));
    MeasuredIncident incident =
        timer(12, 0.015, 120, 0.015).dump(70, two).dump(80, two).dump(90, two).build();
    assertTrue(incident.effects().areCallsFromMeters());
    assertEquals(1.8, incident.effects().during(Effect.DOWNSTREAM_WAIT), 1e-6);
  }

  private static Finding timed(IncidentBuilder incident) {
    return findings(incident.build()).stream()
        .filter(one -> one.statement().startsWith("by the client's own timer"))
        .findFirst()
        .orElseThrow();
  }

  /** 20 calls a second of 5 ms and then 400, of which events have 20 and 100: at most so many. */
  private static IncidentBuilder sampled() {
    return timer(20, 0.005, 400, 0.005)
        .requests(20, 10, 110)
        .waits(1_200, 0, 60, WaitKind.DOWNSTREAM, "PostgreSQL", 5)
        .waits(6_000, 60, 120, WaitKind.DOWNSTREAM, "PostgreSQL", 5);
  }

  @Test
  void ofCallsThatEventsHaveInPartTheTimerCounts() {
    MeasuredIncident incident = sampled().build();
    // 400/s x 5 ms; by events 0.5.
    assertEquals(2, incident.effects().during(Effect.DOWNSTREAM_WAIT), 1e-6);
    List<Finding> findings = findings(incident);
    assertEquals(1, findings.size());
    assertEquals(
        1, explains(findings.get(0), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
    assertEquals(
        CallsWithoutEvents.ONE_CALL, findings.get(0).actions().get(Hypothesis.SLOW_DOWNSTREAM));
    assertEquals(
        List.of("other services"),
        incident.stations().stream()
            .filter(station -> station.kind() == Station.Kind.CALLS)
            .map(Station::name)
            .toList());
  }

  /** A client's timer may have the wait for a connection in it: as many calls, each longer. */
  @Test
  void asManyCallsAsTheTimerCountsAreTakenFromEvents() {
    MeasuredIncident incident =
        timer(20, 0.005, 20, 0.5)
            .waits(1_200, 0, 60, WaitKind.DOWNSTREAM, "PostgreSQL", 5)
            .waits(1_200, 60, 120, WaitKind.DOWNSTREAM, "PostgreSQL", 5)
            .build();
    assertEquals(0.1, incident.effects().during(Effect.DOWNSTREAM_WAIT), 1e-3);
  }

  /** Short calls that only a timer has say nothing of the long ones that events have. */
  @Test
  void longCallsThatNoTimerHasAreTakenFromEvents() {
    MeasuredIncident incident =
        timer(200, 0.001, 200, 0.001)
            .waits(60, 0, 60, WaitKind.DOWNSTREAM, "PostgreSQL", 100)
            .waits(60, 60, 120, WaitKind.DOWNSTREAM, "PostgreSQL", 900)
            .build();
    assertEquals(0.9, incident.effects().during(Effect.DOWNSTREAM_WAIT), 1e-2);
  }
}
