package io.gcdiag.causes.memory;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.PauseSketch.full;
import static io.gcdiag.sketches.PauseSketch.young;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.memory.MemoryPressureCause.AllocationStallRule;
import io.gcdiag.evidence.jvm.GcSample.StarvedAllocation;
import io.gcdiag.evidence.threads.AllocationStalls;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.List;
import org.junit.jupiter.api.Test;

class AllocationStallRuleTest {

  private final Rule rule = new AllocationStallRule();

  private static IncidentBuilder stalled() {
    return incident().waits(10, 70, 80, WaitKind.ALLOCATION_STALL, AllocationStalls.COLLECTOR, 500);
  }

  @Test
  void waitingForAConcurrentCollectorIsTheHeapsShortage() {
    // 10 x 500 ms = 5 s.
    Finding finding = only(rule, stalled().pause(young(65, 5).heap(512, 500, 512)));
    assertEquals(
        "10 allocation stalls, 5 s in total, longest 500 ms: the collector had not "
            + "freed enough memory yet",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.MEMORY_PRESSURE, Effect.ALLOCATION_STALL), 1e-9);
    assertTrue(supports(finding, Hypothesis.MEMORY_PRESSURE));
  }

  @Test
  void whereLittleLivesItIsTheAllocation() {
    Finding finding = only(rule, stalled().pause(full(65, 50).heap(500, 50, 512)));
    assertEquals(1, explains(finding, Hypothesis.ALLOCATION_CHURN, Effect.ALLOCATION_STALL), 1e-9);
  }

  @Test
  void whereTheLiveSetGrowsWithoutEndItIsTheLeak() {
    IncidentBuilder builder = stalled().maxHeap(512);
    for (int second = 65; second < 120; second += 5) {
      builder.pause(full(second, 50).heap(512, 350 + 2 * (second - 60), 512));
    }
    assertEquals(
        1, explains(only(rule, builder), Hypothesis.MEMORY_LEAK, Effect.ALLOCATION_STALL), 1e-9);
  }

  @Test
  void aCriticalSectionIsACauseOfItsOwn() {
    // 5 s for the collector, 15 s for the section: three quarters of the stalled time.
    List<Finding> findings =
        rule.examine(
            stalled()
                .waits(30, 90, 100, WaitKind.ALLOCATION_STALL, AllocationStalls.GC_LOCKER, 500)
                .build());
    Finding locker = findings.get(1);
    assertEquals(0.75, explains(locker, Hypothesis.GC_LOCKER, Effect.ALLOCATION_STALL), 1e-9);
    assertTrue(locker.statement().endsWith("most under Shop.order"), locker::statement);
    assertEquals(
        0.25, explains(findings.get(0), Hypothesis.MEMORY_PRESSURE, Effect.ALLOCATION_STALL), 1e-9);
  }

  @Test
  void withoutStallsThereIsNothingToSay() {
    assertSilent(rule, incident().pauses(10, 60, 120, young(0, 5)));
  }

  @Test
  void aCollectorThatSlowsThreadsDownHasTooLittleRoom() {
    // 30 x 200 ms = 6 s in a minute.
    Finding finding =
        only(
            rule,
            incident()
                .waits(30, 60, 120, WaitKind.ALLOCATION_STALL, AllocationStalls.PACING, 200)
                .pause(young(65, 5).heap(512, 500, 512)));
    assertEquals(
        "30 allocation stalls, 6 s in total, longest 200 ms: the collector freed memory more slowly"
            + " than threads allocated, and delayed them (pacing: one sum for each thread and GC cycle)",
        finding.statement());
    assertEquals(1, explains(finding, Hypothesis.MEMORY_PRESSURE, Effect.ALLOCATION_STALL), 1e-9);
  }

  private static IncidentBuilder starved(int times) {
    IncidentBuilder incident = incident();
    for (int i = 0; i < times; i++) {
      incident.sample(
          new StarvedAllocation(at(70 + i), "exec-" + i % 2, new Source("gc.log", "line 7")));
    }
    return incident;
  }

  /** Three are no accident. */
  @Test
  void allocationsGivenUpProveJniCriticalSections() {
    Finding finding = only(rule, starved(3));
    assertEquals(
        "3 allocations were given up by 2 threads, because JNI critical sections kept the heap"
            + " from being collected ('Retried waiting for GCLocker too often')",
        finding.statement());
    assertTrue(proves(finding, Hypothesis.GC_LOCKER));
    assertFalse(proves(only(rule, starved(2)), Hypothesis.GC_LOCKER));
    assertTrue(supports(only(rule, starved(2)), Hypothesis.GC_LOCKER));
  }
}
