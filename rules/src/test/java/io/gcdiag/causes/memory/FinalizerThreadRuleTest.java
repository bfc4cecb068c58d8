package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.assertSilent;
import static io.gcdiag.sketches.Findings.only;
import static io.gcdiag.sketches.Findings.supports;
import static io.gcdiag.sketches.Findings.value;
import static io.gcdiag.sketches.Findings.warns;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.Threads.thread;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.FinalizerBacklogCause.FinalizerThreadRule;
import io.gcdiag.evidence.jvm.GcSample.FinalizableObjects;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import java.util.List;
import org.junit.jupiter.api.Test;

class FinalizerThreadRuleTest {

  private final Rule rule = new FinalizerThreadRule();

  private static List<ThreadState> finalizer(ThreadActivity activity, long stack) {
    return List.of(
        thread(
            "Finalizer",
            "BLOCKED",
            activity,
            "",
            false,
            Made.position(stack, "com.acme.Cursor.close", ThreadPosition.UNKNOWN_CPU)));
  }

  private static FinalizableObjects count(double second, long objects, long finalized) {
    return new FinalizableObjects(
        at(second), "com.acme.Cursor", objects, finalized, new Source("a.jfr", "statistics"));
  }

  @Test
  void aFinalizerThatIsBlockedInEachDumpIsWorthAWordInAnyCase() {
    Finding finding =
        only(
            rule,
            incident()
                .dump(70, finalizer(ThreadActivity.WAITING_FOR_LOCK, 5))
                .dump(90, finalizer(ThreadActivity.WAITING_FOR_LOCK, 5)));
    assertEquals(
        "the thread Finalizer is waiting for a lock at com.acme.Cursor.close in all 2 dumps; objects"
            + " that wait for their finalizers stay in the heap meanwhile",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.FINALIZER_BACKLOG));
  }

  @Test
  void oneThatGetsOnOrHasNothingToDoSaysNothing() {
    assertSilent(
        rule,
        incident()
            .dump(70, finalizer(ThreadActivity.WAITING_FOR_LOCK, 5))
            .dump(90, finalizer(ThreadActivity.WAITING_FOR_LOCK, 6)));
    for (ThreadActivity activity : List.of(ThreadActivity.IDLE, ThreadActivity.RUNNING)) {
      assertSilent(
          rule, incident().dump(70, finalizer(activity, 5)).dump(90, finalizer(activity, 5)));
    }
  }

  @Test
  void oneDumpMayMeetAShortWaitAndIsNoMoreThanALead() {
    Finding finding =
        only(rule, incident().dump(70, finalizer(ThreadActivity.WAITING_FOR_LOCK, 5)));
    assertTrue(supports(finding, Hypothesis.FINALIZER_BACKLOG));
    assertFalse(warns(finding, Hypothesis.FINALIZER_BACKLOG));
  }

  @Test
  void aNumberOfObjectsThatGrowsIsALead() {
    Finding finding =
        only(rule, incident().sample(count(10, 3_000, 500)).sample(count(90, 43_000, 700)));
    assertEquals(
        "objects of com.acme.Cursor whose finalizer has not run: 3,000 -> 43,000, while 200"
            + " finalizers of the class ran",
        finding.statement());
    assertTrue(supports(finding, Hypothesis.FINALIZER_BACKLOG));
    assertEquals(200, value(finding, "finalized"));
  }

  @Test
  void aFewMoreObjectsAreNone() {
    assertSilent(rule, incident().sample(count(10, 300, 500)).sample(count(90, 1_200, 700)));
    assertSilent(rule, incident().sample(count(10, 200_000, 500)).sample(count(90, 220_000, 700)));
  }
}
