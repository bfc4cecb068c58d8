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
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.VirtualThreadUse;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeadlockedThreadsRuleTest {

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
  void itEndsNeverSoThatADumpOutsideTheWindowCountsToo() {
    Finding finding = only(rule, incident().dump(10, blocked(2), "task-0", "task-1"));
    assertTrue(proves(finding, Hypothesis.DEADLOCK));
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
