package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.BackgroundWorkers;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import io.gcdiag.sketches.WorkerSketch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class JobBacklogTest {

  private final Rule rule = new BusyWorkersRule();

  /** A minute of baseline and one of incident, in both of which calls take 60 ms. */
  private static IncidentBuilder calls() {
    return incident()
        .recorded(Signal.THREAD_PARKS, 20)
        .recorded(Signal.SOCKET_READS, 20)
        .waits(2_000, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 60)
        .waits(4_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 60);
  }

  /** Four threads that rest for so many seconds of each second in the baseline, and then never. */
  private static IncidentBuilder workers(IncidentBuilder to, double restedInBaseline) {
    group(to, "worker-N", false, 0, 60, 4 - restedInBaseline, restedInBaseline);
    group(to, "worker-N", false, 60, 120, 4, 0);
    return to;
  }

  private static void group(
      IncidentBuilder to,
      String name,
      boolean serving,
      int from,
      int until,
      double calling,
      double resting) {
    Map<WaitKind, Double> parked = resting > 0 ? Map.of(WaitKind.IDLE, 5 * resting) : Map.of();
    WorkerSketch.group(to, from, until, name, serving, 4, calling, parked);
  }

  private static MetricSeries meter(MetricMeaning meaning, double... everyTenSeconds) {
    List<Point> points = new ArrayList<>();
    for (int i = 0; i < everyTenSeconds.length; i++) {
      points.add(new Point(at(65 + 10 * i), everyTenSeconds[i]));
    }
    return new MetricSeries(
        "executor",
        new TreeMap<>(Map.of("name", "mail")),
        meaning,
        false,
        points,
        new Source("metrics.txt", meaning.name()));
  }

  private static IncidentBuilder metered(IncidentBuilder to, double... queue) {
    to.timeline().metric(meter(MetricMeaning.EXECUTOR_QUEUED, queue));
    return to;
  }

  @Test
  void workersThatRestedInTheBaselineAndNeverDoNowLetJobsQueue() {
    Finding finding = only(rule, workers(calls(), 1.6));
    // 1.6 of 4 threads rested in the baseline.
    assertEquals(
        "for 60 s of the window none of the 4 threads worker-N, which do the work of "
            + "this process, was idle for 20 ms or longer (100.0 % of their time in calls "
            + "that take as long as before; in the baseline idle 40.0 % of the time): new "
            + "jobs queue",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void oneThreadThatIsNeverFreeMayPollForItself() {
    IncidentBuilder alone = calls();
    WorkerSketch.group(alone, 0, 60, "book", false, 1, 0.6, Map.of(WaitKind.IDLE, 2.0));
    WorkerSketch.group(alone, 60, 120, "book", false, 1, 1, Map.of());
    assertSilent(rule, alone);
    assertEquals(
        Optional.of("book"),
        BackgroundWorkers.aloneNeverFree(alone.build()).map(OccupiedWorkers::group));
  }

  @Test
  void workersThatHardlyRestedInTheBaselineAreNoNews() {
    // 0.2 of 4 threads are 5 % of their time.
    assertSilent(rule, workers(calls(), 0.2));
  }

  @Test
  void withoutABaselineNothingIsSaid() {
    assertSilent(rule, workers(calls(), 1.6).withoutBaseline());
  }

  @Test
  void slowerCallsAreAnotherCause() {
    IncidentBuilder slower =
        incident()
            .recorded(Signal.THREAD_PARKS, 20)
            .recorded(Signal.SOCKET_READS, 20)
            .waits(2_000, 0, 60, WaitKind.DOWNSTREAM, "partner:80", 60)
            .waits(2_000, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 120);
    assertSilent(rule, workers(slower, 1.6));
  }

  @Test
  void whereRequestThreadsDoAGoodPartOfTheWorkUsersWaitForThem() {
    IncidentBuilder builder = workers(calls(), 1.6);
    group(builder, "http-N", true, 60, 120, 1, 3);
    assertSilent(rule, builder);
  }

  @Test
  void aQueueThatGrowsWhileCallsTakeAsLongAsEverWillHurt() {
    IncidentBuilder builder = metered(calls(), 10, 60, 110, 160, 210);
    builder
        .timeline()
        .metric(meter(MetricMeaning.EXECUTOR_THREADS, 4, 4, 4, 4, 4))
        .metric(meter(MetricMeaning.EXECUTOR_ACTIVE, 4, 4, 4, 4, 4));
    Finding finding = only(rule, builder);
    assertEquals(
        "the queue of the executor mail grows, by its own meters, in each of 5 readings, from 10 to 210"
            + " tasks in 40 s, while all 4 threads are at work",
        finding.statement());
    // 200 tasks in 40 s.
    assertEquals(5, value(finding, "tasksPerSecondNotDone"), 1e-9);
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aQueueThatGrowsIsALeadWhereNothingShowsWhatTheThreadsDo() {
    Finding finding = only(rule, metered(incident(), 10, 60, 110, 160, 210));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aQueueThatABatchFilledAndThatDrainsIsNone() {
    assertSilent(rule, metered(calls(), 0, 500, 300, 100, 0));
    assertSilent(rule, metered(calls(), 0, 500));
  }

  @Test
  void aQueueBeforeFreeThreadsIsNotDueToTheirNumber() {
    IncidentBuilder builder = metered(calls(), 10, 60, 110, 160, 210);
    builder
        .timeline()
        .metric(meter(MetricMeaning.EXECUTOR_THREADS, 4, 4, 4, 4, 4))
        .metric(meter(MetricMeaning.EXECUTOR_ACTIVE, 4, 4, 3, 4, 4));
    assertSilent(rule, builder);
  }

  /**
   * A minute of baseline and one of incident by readings every ten seconds: an executor of ten
   * threads, of which four work in the baseline and all in the incident.
   *
   * @param requests requests a second in the incident, 100 in the baseline, of 40 ms
   * @param millis how long they take in the incident
   * @param queue tasks in the queue before and in the incident
   */
  private static IncidentBuilder queued(int requests, double millis, double... queue) {
    IncidentBuilder incident = incident().requests(100, requests, 40, millis);
    stands(incident, MetricMeaning.EXECUTOR_QUEUED, queue[0], queue[1]);
    stands(incident, MetricMeaning.EXECUTOR_ACTIVE, 4, 10);
    stands(incident, MetricMeaning.EXECUTOR_THREADS, 10, 10);
    return incident;
  }

  private static void stands(
      IncidentBuilder to, MetricMeaning meaning, double before, double during) {
    double b = before;
    double d = during;
    to.timeline().metric(MeterSketch.gauge("executor", meaning, b, b, b, b, b, b, d, d, d, d, d));
  }

  @Test
  void aQueueThatStandsSinceMoreRequestsComeShowsTooFewThreads() {
    // 250/s of 40 ms need ten threads; 250/s x 600 ms = 150 in the system, 140 of them queued.
    Finding finding = only(rule, queued(250, 600, 0, 140));
    assertEquals(
        "150 requests are in the system on average and all 10 threads of the server are at work in"
            + " 5 readings of its meters, no longer per task than in the baseline: at least 140 wait"
            + " for a thread",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), 1e-9);
  }

  @Test
  void threadsThatEachTaskHoldsLongerAreALeadOnly() {
    // 48/s x 3 s = 144 in the system; 10 / 48 of a second a task, 4 / 100 before.
    Finding finding = only(rule, queued(48, 3_000, 0, 130));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertEquals(0, explains(finding, Hypothesis.THREAD_POOL_EXHAUSTED, Effect.WORKER_WAIT), 1e-9);
    assertEquals(1, passes(finding, Effect.WORKER_WAIT, Effect.UNACCOUNTED), 1e-9);
  }

  @Test
  void aQueueThatStoodBeforeOrThatNoRequestWaitsInIsNone() {
    assertSilent(rule, queued(250, 600, 130, 140));
    assertSilent(rule, queued(100, 41, 0, 140));
    // A hundred more in the system are no five thousand in the queue.
    assertSilent(rule, queued(100, 1_000, 0, 5_000));
  }

  @Test
  void whereARecordingShowsThreadsItCountsInstead() {
    assertSilent(rule, queued(250, 600, 0, 140).recorded(Signal.THREAD_PARKS, 20));
  }

  /** CPU load of ten cores, of which the service uses as many in the baseline and the incident. */
  private static IncidentBuilder computing(IncidentBuilder to, double before, double during) {
    to.cpus(10);
    for (int second = 0; second < 120; second++) {
      double used = (second < 60 ? before : during) / 10;
      to.cpu(second, used, used);
    }
    return to.recorded(Signal.CPU_LOAD);
  }

  @Test
  void aQueueIsComputingsWhereCoresAreFreeOnlyIfItKeepsMostOfTheThreads() {
    // 48/s, 100/s before: 2 cores are 42 ms a request, 1 core 10 ms; the ten threads compute on
    // two.
    Finding few = only(rule, computing(queued(48, 3_000, 0, 130), 1, 2));
    assertEquals(1, passes(few, Effect.WORKER_WAIT, Effect.UNACCOUNTED), 1e-9);
    assertTrue(supports(few, Hypothesis.THREAD_POOL_EXHAUSTED));
    // On six and a half of ten cores most of the ten threads compute.
    Finding most = only(rule, computing(queued(48, 3_000, 0, 130), 1, 6.5));
    assertEquals(1, passes(most, Effect.WORKER_WAIT, Effect.RUNNING), 1e-9);
  }

  /** 200 request threads by the server's meters, of which so many are busy. */
  private static IncidentBuilder server(double before, double during) {
    IncidentBuilder incident = incident().requests(100, 100, 100, 1_960);
    stands(incident, MetricMeaning.REQUEST_THREADS_BUSY, before, during);
    stands(incident, MetricMeaning.REQUEST_THREADS_MAX, 200, 200);
    return incident;
  }

  @Test
  void requestThreadsThatAreAllBusyByTheServersMetersAreALead() {
    Finding finding = only(rule, server(20, 196));
    assertEquals(
        "196 of 200 request threads are busy on average, by the server's own meters",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void requestThreadsThatWereBusyBeforeOrThatWaitForCoresAreNone() {
    assertSilent(rule, server(190, 196));
    assertSilent(rule, server(20, 150));
    assertSilent(rule, computing(server(20, 196), 1, 9.5));
    assertSilent(rule, server(20, 196).recorded(Signal.THREAD_PARKS, 20));
  }
}
