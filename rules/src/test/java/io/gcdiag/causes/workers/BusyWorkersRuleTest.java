package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.all;
import static io.gcdiag.sketches.Threads.thread;
import static io.gcdiag.sketches.Threads.threads;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.WorkerSketch;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BusyWorkersRuleTest {

  private final Rule rule = new BusyWorkersRule();

  private static final List<ThreadState> EIGHT_IN_CALLS =
      threads("http-nio-8080-exec-", 8, ThreadActivity.IN_DOWNSTREAM_CALL, true);

  @Test
  void requestThreadsWithoutAFreeOneWhileEverybodyWaits() {
    // The shortest answer takes 80 ms, half of them more than 2.4 s.
    Finding finding =
        only(
            rule,
            incident().dump(70, EIGHT_IN_CALLS).dump(100, EIGHT_IN_CALLS).loadTestFrom(80, 2400));
    assertEquals(
        "all 8 threads http-nio-N-exec-N are busy in 2 of 2 dumps: requests queue for a thread",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aGroupOfWhichAThreadWasReplacedHasTwoSizes() {
    List<ThreadState> seven =
        threads("http-nio-8080-exec-", 7, ThreadActivity.IN_DOWNSTREAM_CALL, true);
    Finding finding =
        only(rule, incident().dump(70, seven).dump(100, EIGHT_IN_CALLS).loadTestFrom(80, 2400));
    assertEquals(
        "all 7 to 8 threads http-nio-N-exec-N are busy in 2 of 2 dumps: requests queue for a thread",
        finding.statement());
  }

  /** Calls of 50 ms, so many at any time from 60 s to 120 s. */
  private static IncidentBuilder calls(double threads) {
    int count = (int) Math.round(threads * 60 / 0.05);
    return incident()
        .withoutBaseline()
        .waits(count, 60, 120, WaitKind.DOWNSTREAM, "partner:80", 50)
        .dump(70, EIGHT_IN_CALLS)
        .dump(100, EIGHT_IN_CALLS);
  }

  @Test
  void threadsThatTheRecordingShowsInCallsAllTheTimeAreTooFewWithoutALoadTestAsWell() {
    // 7.8 of 8.
    assertTrue(warns(only(rule, calls(7.8)), Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void threadsThatAreFreeNowAndThenAreALead() {
    // 7.2 of 8: one in ten is free, and dumps met none of those.
    assertFalse(warns(only(rule, calls(7.2)), Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void allBusyWithoutAnybodyWaitingIsALeadOnly() {
    Finding finding =
        only(
            rule,
            incident().dump(70, EIGHT_IN_CALLS).dump(100, EIGHT_IN_CALLS).loadTestFrom(80, 90));
    assertTrue(supports(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void anExecutorThatManyRequestsWaitFor() {
    List<ThreadState> dump =
        all(
            threads("quotes-", 4, ThreadActivity.IN_DOWNSTREAM_CALL, false),
            threads("task-", 150, ThreadActivity.OTHER, true));
    Finding finding = only(rule, incident().dump(70, dump).dump(100, dump).loadTestFrom(50, 3800));
    assertEquals(
        "all 4 threads quotes-N are busy in 2 of 2 dumps, and request threads wait for their results",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void dumpsFromTheBaselineMayShowThemIdle() {
    List<ThreadState> baseline = threads("http-nio-8080-exec-", 8, ThreadActivity.IDLE, true);
    Finding finding =
        only(
            rule,
            incident()
                .dump(61, baseline)
                .dump(80, EIGHT_IN_CALLS)
                .dump(90, EIGHT_IN_CALLS)
                .dump(100, EIGHT_IN_CALLS)
                .loadTestFrom(80, 2400));
    assertTrue(warns(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertTrue(finding.statement().contains("busy in 3 of 4 dumps"), finding.statement());
  }

  @Test
  void oneFreeThreadInEveryDumpIsEnough() {
    List<ThreadState> dump =
        all(EIGHT_IN_CALLS, threads("http-nio-8080-exec-9", 1, ThreadActivity.IDLE, true));
    Finding finding = only(rule, incident().dump(70, dump).dump(100, dump).loadTestFrom(80, 2400));
    assertEquals(
        "at least 1 of 9 request threads (http-nio-N-exec-N) is idle in every dump",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  /** Event loops: one in a call, two in their selector, which a dump shows as running. */
  private static List<ThreadState> loops(ThreadActivity first) {
    return List.of(
        thread("nio-1", "RUNNABLE", first, "", true),
        thread("nio-2", "RUNNABLE", ThreadActivity.IDLE, "", true),
        thread("nio-3", "RUNNABLE", ThreadActivity.IDLE, "", true));
  }

  @Test
  void aFreeEventLoopIsNoHelpToTheConnectionsOfOneThatIsHeldUp() {
    List<ThreadState> heldUp = loops(ThreadActivity.IN_DOWNSTREAM_CALL);
    Finding finding = only(rule, incident().dump(70, heldUp).dump(100, heldUp));
    assertTrue(weakens(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(refutes(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void eventLoopsOfWhichNoneIsHeldUpHaveRoom() {
    List<ThreadState> computing = loops(ThreadActivity.RUNNING);
    Finding finding = only(rule, incident().dump(70, computing).dump(100, computing));
    assertTrue(refutes(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void idleServerThreadsDoNotClearAnExecutorThatIsBusyWheneverAnybodyIsAtWork() {
    List<ThreadState> loaded =
        all(
            threads("http-nio-8080-exec-", 10, ThreadActivity.IDLE, true),
            threads("offers-", 4, ThreadActivity.IN_DOWNSTREAM_CALL, false));
    // A recording's own dump from before the load.
    List<ThreadState> before = threads("http-nio-8080-exec-", 10, ThreadActivity.IDLE, true);
    Finding finding = only(rule, incident().dump(61, before).dump(80, loaded).dump(100, loaded));
    assertTrue(weakens(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(refutes(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aFreeThreadOfAnotherGroupIsNoHelpToTheLargest() {
    List<ThreadState> dump =
        all(
            threads("executor-thread-", 8, ThreadActivity.WAITING_FOR_POOL, true),
            threads("vert.x-acceptor-thread-", 1, ThreadActivity.IDLE, true));
    assertSilent(rule, incident().dump(70, dump).dump(100, dump));
  }

  /** By their names request threads, which none of the dumps finds at work. */
  private static List<ThreadState> besideOthers(List<ThreadState> atWork) {
    return all(
        atWork, threads("app-akka.actor.default-dispatcher-", 12, ThreadActivity.IDLE, true));
  }

  @Test
  void threadsOfAGroupThatIsNeverSeenAtWorkAreNoFreeRequestThreads() {
    // One dump finds a worker without work: too little to call the group exhausted in both.
    List<ThreadState> first =
        besideOthers(
            all(
                EIGHT_IN_CALLS.subList(0, 7),
                threads("http-nio-8080-exec-9", 1, ThreadActivity.IDLE, true)));
    assertSilent(rule, incident().dump(70, first).dump(100, besideOthers(EIGHT_IN_CALLS)));
  }

  @Test
  void threadsOfAGroupThatOneDumpSeesAtWorkAreFreeInTheOthers() {
    List<ThreadState> idle =
        all(
            threads("grpc-default-executor-", 1, ThreadActivity.IN_DOWNSTREAM_CALL, true),
            threads("http-nio-8080-exec-", 4, ThreadActivity.IDLE, true));
    List<ThreadState> busy =
        all(
            threads("http-nio-8080-exec-", 3, ThreadActivity.IDLE, true),
            threads("http-nio-8080-exec-9", 1, ThreadActivity.RUNNING, true));
    Finding finding = only(rule, incident().dump(70, idle).dump(100, busy));
    assertEquals(
        "at least 3 of 4 request threads (http-nio-N-exec-N) are idle in every dump",
        finding.statement());
    // A recording's own dumps are of before the load and after it: it is said when they were idle.
    assertEquals(
        "at least 3 of 4 request threads (http-nio-N-exec-N) idle in every dump: no request waits"
            + " for one",
        finding.brief());
  }

  @Test
  void ofIdleLoopsBesideAFullExecutorTheReportDoesNotSayThatNoRequestWaits() {
    List<ThreadState> dump =
        all(
            threads("ForkJoinPool.commonPool-worker-", 3, ThreadActivity.IN_DOWNSTREAM_CALL, false),
            threads("armeria-common-worker-epoll-3-", 4, ThreadActivity.IDLE, true));
    Finding finding = only(rule, incident().dump(70, dump).dump(100, dump));
    assertEquals(
        "at least 4 of 4 request threads (armeria-common-worker-epoll-N-N) idle in every dump",
        finding.brief());
  }

  @Test
  void idleThreadsAreNoReasonAgainstFullEventLoopsThatTakeTheAnswers() {
    List<ThreadState> idle = threads("qtp-", 4, ThreadActivity.IDLE, true);
    IncidentBuilder full =
        incident().recorded(Signal.THREAD_PARKS, 20).dump(70, idle).dump(100, idle);
    WorkerSketch.group(full, 60, 120, "loop-N", false, 2, 2, Map.of());
    full.sample(new AnsweringGroup(at(63), "loop-N", "Jetty", 12));
    assertTrue(supports(only(rule, full), Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void idleThreadsOfOneGroupAreOfNoHelpToTheRequestsOfAnother() {
    // All of one port's workers are taken in the second dump, and one in the first is not.
    List<ThreadState> other =
        all(
            threads("https-nio-8443-exec-", 6, ThreadActivity.IDLE, true),
            threads("https-nio-8443-exec-7", 1, ThreadActivity.RUNNING, true));
    List<ThreadState> first =
        all(
            EIGHT_IN_CALLS.subList(0, 7),
            threads("http-nio-8080-exec-9", 1, ThreadActivity.IDLE, true),
            other);
    assertSilent(rule, incident().dump(70, first).dump(100, all(EIGHT_IN_CALLS, other)));
  }

  @Test
  void requestThreadsThatWaitForAnswersMayWaitForAnExecutorWithoutAFreeThread() {
    List<ThreadState> dump =
        all(
            threads("XNIO-1 task-", 2, ThreadActivity.OTHER, true),
            threads("XNIO-1 task-", 3, ThreadActivity.IDLE, true));
    Finding finding = only(rule, incident().dump(70, dump).dump(100, dump));
    assertTrue(weakens(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
    assertFalse(refutes(finding, Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void aFullMachineIsNoLackOfCoresForThreadsInCalls() {
    IncidentBuilder builder = incident().dump(70, EIGHT_IN_CALLS).dump(100, EIGHT_IN_CALLS);
    for (int second = 0; second < 120; second++) {
      builder.cpu(second, 0.1, 0.99);
    }
    assertTrue(supports(only(rule, builder), Hypothesis.THREAD_POOL_EXHAUSTED));
  }

  @Test
  void threadsThatWaitForAPoolOrALockAreBlockedByThat() {
    List<ThreadState> dump =
        all(
            threads("http-nio-8080-exec-", 6, ThreadActivity.WAITING_FOR_POOL, true),
            threads("http-nio-8080-exec-1", 2, ThreadActivity.IN_DOWNSTREAM_CALL, true));
    assertSilent(rule, incident().dump(70, dump).dump(100, dump).loadTestFrom(80, 2400));
  }

  @Test
  void oneDumpMayBeChance() {
    assertSilent(rule, incident().dump(70, EIGHT_IN_CALLS).loadTestFrom(80, 2400));
  }
}
