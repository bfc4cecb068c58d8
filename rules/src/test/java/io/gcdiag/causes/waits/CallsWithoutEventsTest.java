package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.explains;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.refutes;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.UnrestedRun;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.CallSamples;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.MeterSketch;
import io.gcdiag.sketches.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CallsWithoutEventsTest {

  private final Rule rule = new DownstreamTimeRule();

  private static List<ThreadState> threads(int inCalls, int running, int idle) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, inCalls, ThreadActivity.IN_DOWNSTREAM_CALL, "PostgreSQL");
    add(threads, running, ThreadActivity.RUNNING, "");
    add(threads, idle, ThreadActivity.IDLE, "");
    return threads;
  }

  private static void add(
      List<ThreadState> threads, int count, ThreadActivity activity, String subject) {
    for (int i = 0; i < count; i++) {
      threads.add(Threads.thread("exec-" + threads.size(), "RUNNABLE", activity, subject, true));
    }
  }

  @Test
  void mostRequestsThatWaitForAnswersInTwoDumpsAreALead() {
    Finding finding =
        only(rule, incident().dump(70, threads(32, 2, 10)).dump(80, threads(30, 3, 10)));
    assertEquals(
        "32 of 34 threads at work are in downstream calls (PostgreSQL), in 2 of 2 dumps",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
  }

  /** Three dumps of 30 threads in calls and 10 idle; GC threads use 30 ms in 10 s: 0.3 %. */
  private static IncidentBuilder thirtyInCalls() {
    return inCalls(30);
  }

  private static IncidentBuilder inCalls(int calling) {
    List<ThreadState> threads = threads(calling, 0, 9);
    threads.add(
        Threads.thread(
            "exec-39", "", ThreadActivity.IDLE, "", true, Made.position(1, "", 1_000_000)));
    return incident().dump(70, threads, 1).dump(80, threads, 1.03).dump(90, threads, 1.06);
  }

  @Test
  void moreCallsThanThereWereRequestsBeforeTakeLonger() {
    // Before 100/s x 10 ms = 1 request in progress; now 100/s x 300 ms = 30, all of them in calls.
    Finding finding = only(rule, thirtyInCalls().requests(100, 10, 300));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void twoCallsInEachDumpAreNoChanceWhereThereAreMoreRequestsThanBefore() {
    // Before 20/s x 10 ms = 0.2 requests in progress; now 20/s x 100 ms = 2, both in calls.
    Finding finding = only(rule, inCalls(2).requests(20, 10, 100));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertSilent(rule, inCalls(1).requests(20, 10, 100));
    // 20/s x 400 ms = 8 in progress: most of them in no call.
    assertSilent(rule, inCalls(2).requests(20, 10, 400));
  }

  @Test
  void asManyCallsAsThereWereRequestsBeforeAreALead() {
    // Before 100/s x 250 ms = 25 requests in progress; 30 threads of 40 in 3 dumps may be 10.
    assertTrue(
        supports(only(rule, thirtyInCalls().requests(100, 250, 300)), Hypothesis.SLOW_DOWNSTREAM));
  }

  @Test
  void requestsThatWereStoppedWaitInTheirCallsAsWell() {
    // No dump states how much CPU time GC threads used: the time may have been stopped.
    List<ThreadState> threads = threads(30, 0, 10);
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, threads)
                .dump(80, threads)
                .dump(90, threads)
                .requests(100, 10, 300));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  /** Thirty in calls to a broker, and a thread of its client in this service's code, or idle. */
  private static IncidentBuilder callsToABroker(ThreadActivity activity) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, 30, ThreadActivity.IN_DOWNSTREAM_CALL, "NATS");
    add(threads, 9, ThreadActivity.IDLE, "");
    threads.add(
        Threads.thread(
            "exec-39", "", ThreadActivity.IDLE, "", true, Made.position(1, "", 1_000_000)));
    threads.add(
        Threads.thread(
            "nats:3",
            "RUNNABLE",
            activity,
            "HttpURLConnection",
            false,
            Made.positionIn(new CodePlace("com.shop.Advice.rain", 75))));
    return incident()
        .dump(70, threads, 1)
        .dump(80, threads, 1.03)
        .dump(90, threads, 1.06)
        .requests(100, 10, 300);
  }

  @Test
  void callsThatAThreadOfThisServiceMayAnswerAreNoRemoteHosts() {
    Finding finding = only(rule, callsToABroker(ThreadActivity.IN_DOWNSTREAM_CALL));
    assertEquals(0, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(supports(finding, Hypothesis.SLOW_DOWNSTREAM));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertEquals(
        List.of(
            "thread nats:3 of the same client runs com.shop.Advice.rain:75 in each dump: if it is"
                + " what answers, the calls wait for it and not for a remote host"),
        finding.arithmetic());
    Finding idle = only(rule, callsToABroker(ThreadActivity.IDLE));
    assertEquals(1, explains(idle, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void threadsThatNobodyConnectsAreTheCauseByThemselves() {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, 30, ThreadActivity.IN_DOWNSTREAM_CALL, "OkHttp (connecting)");
    add(threads, 10, ThreadActivity.IDLE, "");
    Finding finding = only(rule, incident().withoutBaseline().dump(70, threads).dump(80, threads));
    assertEquals(
        "threads wait in connect or in a host lookup: 30 on average in thread"
            + " dumps, most in OkHttp (connecting); no event names the remote host",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  @Test
  void aFewCallsAreWhatAServiceDoes() {
    assertSilent(rule, incident().dump(70, threads(4, 0, 10)).dump(80, threads(4, 0, 10)));
  }

  @Test
  void oneDumpIsAMoment() {
    assertSilent(rule, incident().dump(70, threads(32, 2, 10)));
  }

  @Test
  void manyThatRunBesideAreAnotherMatter() {
    assertSilent(rule, incident().dump(70, threads(10, 40, 0)).dump(80, threads(10, 40, 0)));
  }

  @Test
  void whereCallsAreRecordedTheirTimesGoBefore() {
    assertSilent(
        rule,
        incident()
            .recorded(Signal.SOCKET_READS)
            .dump(70, threads(32, 2, 10))
            .dump(80, threads(30, 3, 10)));
  }

  /** 20 requests a second, 10 ms before and 110 ms during; threads in calls by samples. */
  private static IncidentBuilder shortCalls(double before, double during) {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(100, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
            .waits(100, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 20)
            .requests(20, 10, 110);
    for (int second = 0; second < 120; second++) {
      incident.sample(CallSamples.at(second, 10, second < 60 ? before : during));
    }
    return incident;
  }

  @Test
  void aCallForEachRowOfAListIsTooShortForEventsAndNotForSamples() {
    // Without 100 x 20 ms / 60 s = 0.03 threads in longer calls, 1.9 threads more / 20/s = 95 ms of
    // each request; of less than 10 ms each that is 9 calls.
    List<Finding> findings = rule.examine(shortCalls(0.1, 2).build());
    assertEquals(2, findings.size());
    assertFalse(refutes(findings.get(0), Hypothesis.SLOW_DOWNSTREAM));
    Finding many = findings.get(1);
    assertEquals(
        "a request spends 95 ms more than before in calls that each take less than "
            + "10 ms (by samples 0.07 -> 1.97 threads on average): at least 9 of them in "
            + "sequence",
        many.statement());
    // Requests take 100 ms longer: 2 threads on average, of which 1.9 stand in calls.
    assertEquals(0.95, explains(many, Hypothesis.SLOW_DOWNSTREAM, Effect.UNACCOUNTED), 0.03);
    assertTrue(
        many.actions().get(Hypothesis.SLOW_DOWNSTREAM).startsWith("count the calls"),
        many.actions()::toString);
  }

  @Test
  void connectionsThatARequestTakesCountItsCalls() {
    // 20 requests a second take two connections each in the first minute, 400 in ten seconds, and
    // then twelve each, 2,400.
    double[] taken = new double[13];
    for (int i = 1; i < taken.length; i++) {
      taken[i] = taken[i - 1] + (i <= 6 ? 400 : 2_400);
    }
    IncidentBuilder incident =
        shortCalls(0.1, 2)
            .metered(MeterSketch.counter("acquired", MetricMeaning.POOL_ACQUIRED, taken));
    String statement = rule.examine(incident.build()).get(1).statement();
    assertTrue(
        statement.endsWith(": it obtains a connection 2 -> 12 times, by the pool's meters"),
        statement);
  }

  @Test
  void callsOfWhichAPartIsLongEnoughForEventsAreStillTooManyShortOnes() {
    // 2,300 x 20 ms / 60 s = 0.77 of the 2 threads are in events: 1.2 are not.
    IncidentBuilder some =
        shortCalls(0.1, 2).waits(2_300, 60, 120, WaitKind.DOWNSTREAM, "db:5432", 20);
    assertTrue(
        rule.examine(some.build()).stream()
            .anyMatch(finding -> finding.statement().contains("each take less than")));
  }

  /** The same without a load test: nobody counts requests or how long they take. */
  private static IncidentBuilder uncounted(double before, double during, double millis) {
    IncidentBuilder incident =
        incident()
            .recorded(Signal.SOCKET_READS, 10)
            .waits(100, 0, 60, WaitKind.DOWNSTREAM, "db:5432", 20)
            .waits(300, 60, 120, WaitKind.DOWNSTREAM, "db:5432", millis);
    for (int second = 0; second < 120; second++) {
      incident.sample(CallSamples.at(second, 10, second < 60 ? before : during));
    }
    return incident;
  }

  @Test
  void whereNobodyCountsRequestsTheTimeInShortCallsIsLostByItself() {
    Finding many = only(rule, uncounted(0.2, 4, 20));
    assertEquals(
        "threads in calls that each take less than 10 ms: 0.2 -> 4 on average by samples; each"
            + " request has more of them, or slower ones",
        many.statement());
    assertEquals(1, explains(many, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertEquals(
        List.of(new KeyFigure("mean of calls of 10 ms or longer", Optional.of("20 ms"), "20 ms")),
        many.figures());
    assertTrue(many.actions().get(Hypothesis.SLOW_DOWNSTREAM).startsWith("take the calls out"));
    // 4 - 0.2 threads for 60 s.
    assertEquals(
        228, uncounted(0.2, 4, 20).build().effects().excessSeconds(Effect.DOWNSTREAM_WAIT), 5);
  }

  @Test
  void shortCallsThatBecomeLongerMayBeSlowerOnes() {
    Finding slower = only(rule, uncounted(0.2, 4, 30));
    assertTrue(slower.actions().get(Hypothesis.SLOW_DOWNSTREAM).startsWith("count the calls"));
  }

  @Test
  void fiveTimesTheCallsMayBeFiveTimesTheRequests() {
    assertEquals(
        0, uncounted(0.5, 2.5, 20).build().effects().excessSeconds(Effect.DOWNSTREAM_WAIT), 0.1);
  }

  /** Two threads in the same call in three dumps: it does not end, and each sample meets it. */
  @Test
  void callsThatDoNotEndAreNoManyShortOnes() {
    List<ThreadState> dump = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      ThreadPosition standing = Made.position(7, "Orders.find", 900_000);
      dump.add(
          thread("exec-" + i, "RUNNABLE", ThreadActivity.IN_DOWNSTREAM_CALL, "", true, standing));
    }
    IncidentBuilder stuck = shortCalls(0.1, 2).dump(70, dump).dump(80, dump).dump(90, dump);
    assertTrue(
        rule.examine(stuck.build()).stream()
            .noneMatch(finding -> finding.statement().contains("each take less than")));
  }

  /** Of 3.8 threads more two are in a call in each of their samples for half a minute. */
  @Test
  void callsThatDoNotEndAreNotAdvisedToBecomeOne() {
    IncidentBuilder stuck = uncounted(0.2, 4, 20);
    for (int thread = 1; thread <= 2; thread++) {
      stuck.sample(new UnrestedRun(at(90), Duration.ofSeconds(30), "http-N", thread, 100, 100));
    }
    Finding finding = only(rule, stuck);
    assertEquals(
        "threads in calls that no event of 10 ms or longer shows: 0.2 -> 4 on average by samples,"
            + " most of them always in a call: a call that does not end has no event",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(finding.actions().isEmpty(), finding.actions()::toString);
    // Threads of a group that serves no request may wait in a call for what comes.
    IncidentBuilder others = uncounted(0.2, 4, 20);
    for (int thread = 1; thread <= 2; thread++) {
      others.sample(new UnrestedRun(at(90), Duration.ofSeconds(30), "feed-N", thread, 100, 100));
    }
    assertTrue(only(rule, others).statement().contains("each take less than"));
  }

  @Test
  void asManyShortCallsAsBeforeAreNot() {
    assertTrue(refutes(only(rule, shortCalls(1.8, 2)), Hypothesis.SLOW_DOWNSTREAM));
  }

  /** GC threads use 4 s of 10, at most 40 % of the time stopped. */
  private static IncidentBuilder stopped(int calling) {
    List<ThreadState> threads = threads(calling, 0, 9);
    threads.add(
        Threads.thread(
            "exec-39", "", ThreadActivity.IDLE, "", true, Made.position(1, "", 1_000_000)));
    return incident().dump(70, threads, 1).dump(80, threads, 5).dump(90, threads, 9);
  }

  @Test
  void stopsOfLessThanHalfOfTheTimeDoNotDelayHalfOfTheRequests() {
    // Each of them takes 300 ms in place of 10; what no stop can have had is 60 %.
    Finding finding = only(rule, stopped(30).requests(100, 10, 300));
    assertEquals(0.6, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT), 1e-9);
  }

  @Test
  void callsThatGrewNeedNotBeMostInEachDump() {
    // 30 of 80 at work in the first dump, where the others run after a stop.
    IncidentBuilder some =
        incident()
            .dump(70, withCpu(threads(30, 50, 10)), 1)
            .dump(80, withCpu(threads(30, 0, 10)), 1.03)
            .dump(90, withCpu(threads(30, 50, 10)), 1.06);
    Finding finding = only(rule, some.requests(100, 10, 300));
    assertEquals(1, explains(finding, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }

  private static List<ThreadState> withCpu(List<ThreadState> threads) {
    threads.add(
        Threads.thread(
            "other", "", ThreadActivity.IDLE, "", true, Made.position(1, "", 1_000_000)));
    return threads;
  }

  /** All ten threads read, and 20/s x 1 s = 20 requests are in progress. */
  private static Finding tenReaders(String client) {
    List<ThreadState> threads = new ArrayList<>();
    add(threads, 10, ThreadActivity.IN_DOWNSTREAM_CALL, client);
    threads.add(
        Threads.thread("gc", "", ThreadActivity.OTHER, "", false, Made.position(1, "", 1_000_000)));
    return only(
        rule(),
        incident()
            .dump(70, threads, 1)
            .dump(80, threads, 1.03)
            .dump(90, threads, 1.06)
            .requests(20, 10, 1_000));
  }

  private static Rule rule() {
    return new DownstreamTimeRule();
  }

  @Test
  void readsOfNoKnownClientOnEachThreadMayBeOfCallersThatStayConnected() {
    Finding unknown = tenReaders("socket");
    assertEquals(0, explains(unknown, Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
    assertTrue(supports(unknown, Hypothesis.SLOW_DOWNSTREAM));
    assertEquals(
        1, explains(tenReaders("OkHttp"), Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT));
  }
}
