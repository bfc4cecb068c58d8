package io.gcdiag.causes.workers;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.Made;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.workers.VirtualThreadPinningCause.PinnedCarriersRule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarriersInDumpsTest {

  private final Rule rule = new PinnedCarriersRule();

  private static ThreadState worker(int number, long carries, double cpuMillis) {
    return new ThreadState(
        "ForkJoinPool-1-worker-" + number,
        "",
        ThreadActivity.OTHER,
        "",
        false,
        false,
        Made.position(7, "", (long) (cpuMillis * 1e6), carries),
        false,
        false);
  }

  /** Workers 1, 2, ... with these virtual threads on them, each having used so much CPU. */
  private static List<ThreadState> workers(double cpuMillis, long... carried) {
    ThreadState[] threads = new ThreadState[carried.length];
    Arrays.setAll(threads, i -> worker(i + 1, carried[i], cpuMillis));
    return List.of(threads);
  }

  @Test
  void theSameVirtualThreadsOnAllCarriersKeepEverybodyOut() {
    Finding finding =
        only(
            rule,
            incident().cpus(2).dump(70, workers(30, 38, 39)).dump(78, workers(30.04, 38, 39)));
    assertEquals(
        "2 carriers have been blocked for at least 8 s: the same virtual threads on "
            + "them (#38, #39) in each dump, with hardly any CPU time used; no other "
            + "virtual thread can run",
        finding.statement());
    assertTrue(proves(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.PINNED), 1e-9);
  }

  @Test
  void oneOnEachCarrierAtEachLookThatHardlyRanIsBlockedThoughNotTheSame() {
    // 0.2 s of CPU each in 8 s.
    IncidentBuilder two =
        incident().cpus(2).dump(70, workers(300, 38, 39)).dump(78, workers(500, 57, 61));
    Finding finding = only(rule, two);
    assertEquals(
        "all 2 carriers have a virtual thread on them in each of 2 dumps, although they used a CPU"
            + " for 2.5 % of the time: these are blocked and were not unmounted",
        finding.statement());
    assertEquals(1, passes(finding, Effect.UNACCOUNTED, Effect.PINNED), 1e-9);
    // Another virtual thread means that the call of the first has ended.
    assertFalse(proves(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  @Test
  void carriersThatRunHaveAThreadOnThemAsTheyShould() {
    // 4 s of CPU each in 8 s.
    assertSilent(
        rule, incident().cpus(2).dump(70, workers(300, 38, 39)).dump(78, workers(4300, 57, 61)));
  }

  /** A dump to a file: virtual threads parked on their carriers, of which it tells no CPU times. */
  private static List<ThreadState> file(long... parked) {
    List<ThreadState> threads = new ArrayList<>();
    for (long number : parked) {
      threads.add(
          new ThreadState(
              "",
              "",
              ThreadActivity.OTHER,
              "",
              false,
              false,
              Made.position(9, "", ThreadPosition.UNKNOWN_CPU, number),
              true,
              false));
      threads.add(
          new ThreadState(
              "ForkJoinPool-1-worker-" + threads.size(),
              "",
              ThreadActivity.OTHER,
              "",
              false,
              false,
              Made.position(8, "jdk.internal.vm.Continuation.run", ThreadPosition.UNKNOWN_CPU, 0),
              false,
              false));
    }
    return threads;
  }

  @Test
  void aDumpToAFileIsASecondDump() {
    List<IncidentBuilder> both =
        List.of(
            incident().cpus(2).dump(70, workers(30, 38, 39)).dump(78, file(38, 39)),
            incident().cpus(2).dump(70, file(38, 39)).dump(78, file(38, 39)));
    for (IncidentBuilder builder : both) {
      Finding finding = only(rule, builder);
      assertTrue(finding.statement().startsWith("2 carriers have been blocked for at least 8 s"));
      assertTrue(proves(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    }
  }

  @Test
  void otherVirtualThreadsInTheFileMeanThatTheyMove() {
    assertSilent(rule, incident().cpus(2).dump(70, workers(30, 38, 39)).dump(78, file(41, 42)));
  }

  /** They wait and compute nothing; what they wait for may need a carrier. */
  @Test
  void waitsOnAllCarriersOfTheOnlyDumpLeaveNoneForOthers() {
    Finding finding = only(rule, incident().dump(78, file(41, 42)));
    assertEquals(
        "virtual threads hold all 2 carriers while they wait; no other virtual thread can run, not"
            + " even one that they wait for",
        finding.statement());
    assertTrue(warns(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    List<ThreadState> oneMore = new ArrayList<>(file(41, 42));
    oneMore.add(workers(30, 38).get(0));
    assertSilent(rule, incident().dump(78, oneMore));
  }

  @Test
  void aCarrierThatComputesIsNotKept() {
    assertSilent(
        rule, incident().cpus(2).dump(70, workers(30, 38, 39)).dump(78, workers(3030, 38, 39)));
  }

  @Test
  void oneDumpDoesNotSayThatNothingMoves() {
    assertSilent(rule, incident().cpus(2).dump(70, workers(30, 38, 39)));
  }

  @Test
  void oneDumpOfAnIdleJvmIsALead() {
    IncidentBuilder idle = incident().cpus(2).dump(70, workers(30, 38, 39));
    IncidentBuilder busy = incident().cpus(2).dump(70, workers(30, 38, 39));
    for (int second = 60; second < 80; second++) {
      // Of two cores, one in a hundred; and half.
      idle.cpu(second, 0.01, 0.1);
      busy.cpu(second, 0.5, 0.6);
    }
    assertTrue(supports(only(rule, idle), Hypothesis.VIRTUAL_THREAD_PINNING));
    assertSilent(rule, busy);
  }

  @Test
  void withACarrierFreeOthersRun() {
    Finding finding =
        only(
            rule,
            incident()
                .cpus(2)
                .dump(70, workers(30, 38, 39, ThreadPosition.NO_VIRTUAL_THREAD))
                .dump(78, workers(30, 38, 39, ThreadPosition.NO_VIRTUAL_THREAD)));
    assertTrue(supports(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    assertFalse(proves(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  @Test
  void withoutTheNumberOfCarriersItOnlySupports() {
    Finding finding = only(rule, incident().dump(70, workers(30, 38)).dump(78, workers(30, 38)));
    assertTrue(supports(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
    assertFalse(proves(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }

  @Test
  void eventsOfStaysThatEndedDoNotRuleOutOnesThatDoNot() {
    Finding finding =
        only(
            new PinnedCarriersRule(),
            incident()
                .cpus(2)
                .waits(3, 60, 62, WaitKind.PINNED, "Bank.confirm", 30)
                .dump(78, workers(30, 38, 39)));
    assertFalse(refutes(finding, Hypothesis.VIRTUAL_THREAD_PINNING));
  }
}
