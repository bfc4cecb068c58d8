package io.gcdiag.causes.waits;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadlockedThreadsRuleTest {

  private static final Deadlocks CIRCLE = new Deadlocks(List.of("task-1", "task-7"), true);

  private final Rule rule = new DeadlockedThreadsRule();

  private static List<ThreadState> blocked(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i -> thread("task-" + i, "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", true))
        .toList();
  }

  @Test
  void aCircleOfOwnersIsTheCauseItself() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, blocked(12), "task-1", "task-7")
                .dump(100, blocked(96), "task-1", "task-7"));
    assertEquals(
        "deadlock of 2 threads (task-1, task-7) in 2 of 2 dumps; 96 threads wait for " + "locks",
        finding.statement());
    assertTrue(proves(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void itMayHoldTheRequestsThatFailWhereMostOfThemDo() {
    // Nine of ten fail from second 60 on, in no thread that a dump shows; then one of ten.
    for (int failed : List.of(9, 1)) {
      List<RequestInterval> seconds =
          IntStream.range(0, 120)
              .mapToObj(
                  i ->
                      new RequestInterval(
                          at(i), Duration.ofSeconds(1), 10, i < 60 ? 0 : failed, Latencies.none()))
              .toList();
      IncidentBuilder incident =
          incident()
              .dump(70, blocked(12), "task-1", "task-7")
              .dump(100, blocked(12), "task-1", "task-7");
      incident
          .timeline()
          .requestSeries(
              new RequestSeries(
                  "k6", Duration.ofSeconds(1), seconds, new Source("requests.csv", "")));
      assertEquals(
          failed == 9 ? 0.9 : 0,
          passes(only(rule, incident), Effect.UNACCOUNTED, Effect.LOCK_WAIT));
    }
  }

  @Test
  void oneThatNoRequestWaitsForIsADefectBesideThem() {
    List<ThreadState> two =
        List.of(
            thread("task-1", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("task-7", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("exec-1", "RUNNABLE", ThreadActivity.RUNNING, "", true));
    Finding finding =
        only(rule, incident().dump(70, two, "task-1", "task-7").dump(100, two, "task-1", "task-7"));
    assertEquals(
        "deadlock of 2 threads (task-1, task-7) in 2 of 2 dumps; 2 threads wait for locks,"
            + " those in it alone, and no request thread is in it",
        finding.statement());
    assertFalse(proves(finding, Hypothesis.DEADLOCK));
    assertTrue(supports(finding, Hypothesis.DEADLOCK));
  }

  private static Diagnosis diagnosis(IncidentBuilder builder, boolean serving) {
    List<ThreadState> threads =
        List.of(
            thread("task-1", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("task-7", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("exec-1", "RUNNABLE", ThreadActivity.RUNNING, "", serving));
    return Diagnoser.diagnose(
        builder
            .recorded(Signal.GC_PAUSES)
            .recorded(Signal.THREAD_PARKS)
            .recorded(Signal.THREAD_DUMPS)
            .dump(100, threads, "task-1", "task-7")
            .build()
            .timeline(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void besideRequestsThatAreNotDelayedItIsWorthANoteAndNeverSilent() {
    RequestStats quick =
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(12_000)
            .rate(new Rate(100))
            .shortest(millis(1))
            .mean(millis(2))
            .percentile(50, millis(2))
            .percentile(99, millis(7))
            .build();
    for (boolean known : List.of(true, false)) {
      Diagnosis healthy = diagnosis(incident().loadTest(quick), known);
      assertEquals(Conclusion.HEALTHY, healthy.conclusion(), healthy::summary);
      assertTrue(healthy.summary().contains(" To watch: deadlock of 2 threads"), healthy::summary);
    }
    // Without latencies, and none known to serve requests.
    Diagnosis unknown = diagnosis(incident(), false);
    assertEquals(Conclusion.UNDECIDED, unknown.conclusion());
    assertTrue(unknown.summary().contains(" To watch: deadlock of 2 threads"), unknown::summary);
  }

  /** Two threads at 100/s would be 20 ms of each request, of which none took longer than 12 ms. */
  @Test
  void whereEachRequestEndedNoneOfThemWaitsInIt() {
    RequestStats quick =
        new RequestStats.Builder("k6", new Source("k6.json", ""))
            .requests(12_000)
            .failed(0)
            .rate(new Rate(100))
            .shortest(millis(1))
            .mean(millis(2))
            .longest(millis(12))
            .percentile(50, millis(2))
            .percentile(99, millis(7))
            .build();
    Diagnosis healthy = diagnosis(incident().loadTest(quick), false);
    assertEquals(Conclusion.HEALTHY, healthy.conclusion(), healthy::summary);
    assertFalse(healthy.summary().contains("per request"), healthy::summary);
    assertTrue(healthy.summary().contains("those in it alone"), healthy::summary);
    assertFalse(healthy.summary().contains("A few requests are delayed"), healthy::summary);
  }

  /** None is known to serve requests, which lost 10 s in 60 s. */
  @Test
  void whereItIsNotKnownWhoServesItIsTheCauseIfRequestsLostTime() {
    List<ThreadState> two =
        List.of(
            thread("task-1", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("task-7", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false));
    Finding alone = only(rule, incident().dump(100, two, "task-1", "task-7"));
    assertFalse(proves(alone, Hypothesis.DEADLOCK));
    assertTrue(alone.statement().endsWith("2 threads wait for locks, those in it alone"));
    assertTrue(
        proves(
            only(
                rule,
                incident().loadTestFrom(100, 1_100).rate(10).dump(100, two, "task-1", "task-7")),
            Hypothesis.DEADLOCK));
  }

  @Test
  void itExplainsTheWaitsForLocksOfDeadlockedThreads() {
    // 60 of 96 wait for locks of the two, 12 for one whose owner waits for one of theirs.
    List<LockOwner> owners =
        List.of(
            new LockOwner(
                60,
                "task-1",
                Optional.of(WaitKind.LOCK),
                "Account",
                Optional.empty(),
                Optional.empty()),
            new LockOwner(
                12,
                "task-30",
                Optional.of(WaitKind.LOCK),
                "Account",
                Optional.empty(),
                Optional.empty()),
            new LockOwner(
                24,
                "writer",
                Optional.of(WaitKind.FILE),
                "journal",
                Optional.empty(),
                Optional.empty()));
    Finding finding =
        only(
            rule,
            incident()
                .withoutBaseline()
                .dump(70, blocked(96), CIRCLE, owners)
                .dump(100, blocked(96), CIRCLE, owners));
    assertEquals(0.75, explains(finding, Hypothesis.DEADLOCK, Effect.LOCK_WAIT), 1e-9);
  }

  @Test
  void itEndsNeverSoThatADumpOutsideTheWindowCountsToo() {
    Finding finding = only(rule, incident().dump(10, blocked(2), "task-0", "task-1"));
    assertTrue(proves(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void theJvmDoesNotSeeAThreadThatHoldsAReadLockAndWaitsForTheWriteLock() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(
                    70,
                    List.of(
                        thread(
                            "task-1",
                            "WAITING",
                            ThreadActivity.WAITING_FOR_LOCK,
                            "java.util.concurrent.locks.ReentrantReadWriteLock$NonfairSync",
                            true))));
    assertEquals(
        "no deadlock in 1 thread dump, which does not show the holders of read locks and permits",
        finding.statement());
    assertFalse(refutes(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void manyBlockedThreadsWithoutACircleAreNone() {
    Finding finding = only(rule, incident().dump(70, blocked(150)));
    assertEquals("no deadlock in 1 thread dump", finding.statement());
    assertTrue(refutes(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void aDumpThatLeavesOwnersOutRulesNoneOut() {
    Finding finding = only(rule, incident().dump(70, blocked(3), new Deadlocks(List.of(), false)));
    assertEquals(
        "no deadlock in 1 thread dump, which does not show the owners of all locks",
        finding.statement());
    assertFalse(refutes(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void dumpsWithoutTheVirtualThreadsThatDoTheWorkRuleNoneOut() {
    Finding finding =
        only(rule, incident().dump(70, blocked(3)).sample(new VirtualThreadUse(at(1), 0.9)));
    assertTrue(
        finding.statement().endsWith("which does not show the locks that virtual threads hold"),
        finding::statement);
    assertFalse(refutes(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void withoutADumpThereIsNothingToSay() {
    assertSilent(rule, incident());
  }

  private static final Deadlocks OF_ANSWERS =
      new Deadlocks(
          List.of("loop-1"),
          true,
          Deadlocks.Kind.ANSWERS,
          List.of("loop-1 waits for an answer, read by loop-1"),
          Map.of(ThreadActivity.IN_DOWNSTREAM_CALL, 12));

  private static List<ThreadState> calling() {
    return IntStream.range(0, 12)
        .mapToObj(
            i -> thread("task-" + i, "WAITING", ThreadActivity.IN_DOWNSTREAM_CALL, "Lettuce", true))
        .toList();
  }

  @Test
  void oneThatIsInferredIsNamedAndNoProof() {
    Finding finding =
        only(rule, incident().dump(70, calling(), OF_ANSWERS).dump(100, calling(), OF_ANSWERS));
    assertEquals(
        "deadlock of 1 thread (loop-1) in 2 of 2 dumps; loop-1 waits for an answer, read by"
            + " loop-1",
        finding.statement());
    assertFalse(proves(finding, Hypothesis.DEADLOCK));
    assertTrue(supports(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void oneThatIsInferredAndEndsWasNone() {
    Finding finding =
        only(rule, incident().dump(70, calling(), OF_ANSWERS).dump(100, calling(), Deadlocks.NONE));
    assertFalse(supports(finding, Hypothesis.DEADLOCK));
  }

  /** Who waits behind it looks like one who waits for a slow host, and is not. */
  @Test
  void callsThatWaitForADeadlockAreNoSlowHost() {
    Diagnosis diagnosis =
        Diagnoser.diagnose(
            incident()
                .recorded(Signal.THREAD_DUMPS)
                .dump(70, calling(), OF_ANSWERS)
                .dump(100, calling(), OF_ANSWERS)
                .build()
                .timeline(),
            Optional.empty(),
            Optional.empty());
    assertEquals(
        List.of(Hypothesis.DEADLOCK),
        diagnosis.judgements().stream()
            .filter(one -> one.verdict().isSuspect() || one.isLead())
            .map(Judgement::hypothesis)
            .toList());
  }
}
