package io.gcdiag.accounts.locks;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.VirtualThreadUse;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.measures.waits.Effect;
import java.util.List;
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
  void oneThatNoRequestWaitsForIsADefectBesideThem() {
    List<ThreadState> two =
        List.of(
            thread("task-1", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("task-7", "BLOCKED", ThreadActivity.WAITING_FOR_LOCK, "Account", false),
            thread("exec-1", "RUNNABLE", ThreadActivity.RUNNING, "", true));
    Finding finding =
        only(rule, incident().dump(70, two, "task-1", "task-7").dump(100, two, "task-1", "task-7"));
    assertEquals(
        "deadlock of 2 threads (task-1, task-7) in 2 of 2 dumps; 2 threads wait for locks: no"
            + " request thread, and none behind those in it",
        finding.statement());
    assertFalse(proves(finding, Hypothesis.DEADLOCK));
    assertTrue(supports(finding, Hypothesis.DEADLOCK));
  }

  @Test
  void itExplainsTheWaitsForLocksOfDeadlockedThreads() {
    // 60 of 96 wait for locks of the two, 12 for one whose owner waits for one of theirs.
    List<LockOwner> owners =
        List.of(
            new LockOwner(60, "task-1", Optional.of(WaitKind.LOCK), "Account", List.of()),
            new LockOwner(12, "task-30", Optional.of(WaitKind.LOCK), "Account", List.of()),
            new LockOwner(24, "writer", Optional.of(WaitKind.FILE), "journal", List.of()));
    Finding finding =
        only(
            rule,
            incident()
                .withoutCalm()
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
}
