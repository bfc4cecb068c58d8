package io.gcdiag.causes.cores;

import static io.gcdiag.sketches.Findings.*;
import static io.gcdiag.sketches.IncidentBuilder.at;
import static io.gcdiag.sketches.IncidentBuilder.incident;
import static io.gcdiag.sketches.IncidentBuilder.millis;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.cores.HostCpuContentionCause.PauseCpuRule;
import io.gcdiag.causes.memory.StoppedTimeSplit;
import io.gcdiag.evidence.jvm.GcCpu;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.sketches.PauseSketch;
import java.util.List;
import org.junit.jupiter.api.Test;

class PauseCpuRuleTest {

  private final Rule rule = new PauseCpuRule();

  /** Ten pauses of half a second, each with so much CPU time. */
  private static IncidentBuilder pauses(double userMillis, double systemMillis) {
    IncidentBuilder to = incident().pauses(10, 60, 120, PauseSketch.young(60, 500));
    for (int i = 0; i < 10; i++) {
      to.timeline()
          .gcCpu(
              new GcCpu(
                  at(61 + 6 * i),
                  millis(userMillis),
                  millis(systemMillis),
                  millis(500),
                  IncidentBuilder.RECORDING));
    }
    return to;
  }

  @Test
  void threadsThatCouldNotRunWaitedForWhatTheLogDoesNotTell() {
    // 10 x 100 ms of CPU time in 10 x 500 ms: 0.2 cores.
    Finding finding = only(rule, pauses(90, 10));
    assertEquals(
        "in 10 of 10 pauses (5 s of 5 s) the GC threads ran for 1 s only: the JVM waited, not the"
            + " collector; not separable: other processes, a CPU quota, swapped-out memory, a slow"
            + " disk that the log (-Xlog:async) or the JVM's counters (-XX:+PerfDisableSharedMem)"
            + " are written to",
        finding.statement());
    for (Hypothesis one :
        List.of(Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, Hypothesis.SWAPPING)) {
      assertTrue(supports(finding, one));
      assertEquals(0, explains(finding, one, Effect.STOPPED), 1e-9);
    }
  }

  /** Beside ten of half a second, twenty of 20 ms on four cores. */
  private static IncidentBuilder nowAndThen() {
    IncidentBuilder to = pauses(40, 10).pauses(20, 60, 120, PauseSketch.young(60, 20));
    for (int i = 0; i < 20; i++) {
      to.collectorCpu(60 + 3 * i, 80, 20);
    }
    return to;
  }

  /** 10 x 0.5 of 5.4 s: all of the wait is in these, and quick ones would be stretched as well. */
  @Test
  void whereOtherPausesHadTheirCoresTheJvmWaitedForSomethingElse() {
    Finding finding = only(rule, nowAndThen());
    assertEquals(
        "in 10 of 30 pauses (5 s of 5.4 s) the GC threads ran for 500 ms only; in the others they"
            + " got 4 cores: the JVM waited, not the collector; not separable: a slow disk that the"
            + " log (-Xlog:async) or the JVM's counters (-XX:+PerfDisableSharedMem) are written to,"
            + " other processes, a CPU quota, swapped-out memory",
        finding.statement());
    String first = "write the GC log to tmpfs (JDK 17: -Xlog:async) and add -XX:+PerfDisableShared";
    assertTrue(finding.actions().get(Hypothesis.CPU_THROTTLING).startsWith(first));
    for (Hypothesis cause :
        List.of(Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, Hypothesis.SWAPPING)) {
      assertEquals(0, explains(finding, cause, Effect.STOPPED), 1e-9);
      assertTrue(supports(finding, cause), cause.id());
    }
  }

  @Test
  void aMachineWithoutSwapSpaceDoesNotSwap() {
    Finding finding =
        only(rule, nowAndThen().flag("Memory", "4k page, physical 65842712k, swap 0k(0k free)"));
    assertTrue(finding.statement().endsWith("written to, other processes, a CPU quota"));
    assertFalse(supports(finding, Hypothesis.SWAPPING));
  }

  /** 8,388,604 KiB are 8 GiB; 8,200,000 of them, 7.82 GiB, are not free. */
  @Test
  void swapSpaceInUseAtTheStartOfTheLogIsSaid() {
    Finding finding =
        only(
            rule, nowAndThen().flag("Memory", "4k page, physical 1k, swap 8388604k(188604k free)"));
    assertTrue(
        finding
            .statement()
            .contains(
                "not separable: swapped-out memory (at its start 7.82 GiB of 8 GiB of swap were in"
                    + " use), other processes, a CPU quota, a slow disk"),
        finding::statement);
    assertTrue(finding.actions().get(Hypothesis.SWAPPING).startsWith("see what the JVM waits for"));
  }

  /** A collector whose threads do not run is not short of room. */
  @Test
  void whatTheJvmWaitedForIsNoShortHeaps() {
    IncidentBuilder full =
        incident().pauses(30, 60, 120, PauseSketch.young(60, 180).heap(98, 90, 100));
    for (int i = 0; i < 20; i++) {
      full.collectorCpu(60 + 3 * i, 80, 20);
    }
    for (int i = 0; i < 10; i++) {
      full.collectorCpu(61 + 6 * i, 50, 500);
    }
    // 10 x 0.5 s with 0.5 s of CPU time and 20 x 20 ms: 4.5 of 5.4 s, 83 %, were waited for.
    // In all there were (0.5 + 1.6) / 5.4 = 0.39 cores: 61 % of the time is taken away.
    assertEquals(
        2.1 / 5.4, StoppedTimeSplit.of(full.build()).share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }

  /** One of eleven seconds: longer than any burst. */
  @Test
  void aSingleVeryLongWaitIsEnough() {
    IncidentBuilder incident = incident().pause(PauseSketch.young(70, 11_000));
    for (int i = 0; i < 13; i++) {
      incident.pause(PauseSketch.young(4 * i, 20)).collectorCpu(4 * i, 80, 20);
    }
    Finding finding = only(rule, incident.collectorCpu(81, 300, 11_000));
    assertTrue(
        finding
            .statement()
            .startsWith("in 1 of 1 pause (11 s of 11 s) the GC threads ran for 300 ms"),
        finding::statement);
  }

  @Test
  void whereTheLoadIsKnownItSaysWhoHadTheCores() {
    Finding finding = only(rule, pauses(90, 10).cpu(90, 0.1, 0.9));
    assertEquals(
        "the GC threads got 0.2 cores on average during pauses while other processes used the CPU:"
            + " 80.0 % of the growth in pause time is waiting for CPU",
        finding.statement());
    assertEquals(0.8, explains(finding, Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED), 1e-9);
  }

  @Test
  void oneThreadsWorkIsNoStarvation() {
    assertSilent(rule, pauses(350, 50));
  }

  @Test
  void fewPausesMayHaveMetAMomentsIncident() {
    IncidentBuilder incident = incident();
    for (int i = 0; i < 4; i++) {
      incident.collectorCpu(70 + i, 10, 500);
    }
    assertSilent(rule, incident);
  }

  @Test
  void theKernelsPartIsNobodysPauses() {
    // 300 of 400 ms: three quarters.
    IncidentBuilder incident = pauses(100, 300);
    Finding finding = only(rule, incident);
    assertTrue(finding.statement().startsWith("75.0 % of the CPU time of pauses is kernel time"));
    assertTrue(finding.statement().contains("pages that are swapped in, touched"));
    assertTrue(supports(finding, Hypothesis.SWAPPING));
    assertEquals(0, explains(finding, Hypothesis.SWAPPING, Effect.STOPPED), 1e-9);
  }

  /** Pages are touched for the first time then, or become huge ones. */
  @Test
  void withoutSwapSpaceTheKernelSwapsNothing() {
    Finding finding =
        only(rule, pauses(100, 300).flag("Memory", "4k page, physical 658k, swap 0k(0k free)"));
    assertEquals(
        "75.0 % of the CPU time of pauses is kernel time, and the machine has no swap space",
        finding.statement());
    assertTrue(refutes(finding, Hypothesis.SWAPPING));
  }

  @Test
  void itCountsForNoSmallHeapThen() {
    // Full all along: 90 of 100 MiB in use after each of ten pauses of half a second.
    IncidentBuilder quick = incident();
    IncidentBuilder slow = incident();
    for (IncidentBuilder incident : new IncidentBuilder[] {quick, slow}) {
      incident.pauses(10, 60, 120, PauseSketch.young(60, 500).heap(98, 90, 100));
      for (int i = 0; i < 10; i++) {
        boolean kernel = incident == slow;
        incident
            .timeline()
            .gcCpu(
                new GcCpu(
                    at(61 + 6 * i),
                    millis(kernel ? 100 : 400),
                    millis(kernel ? 300 : 0),
                    millis(500),
                    IncidentBuilder.RECORDING));
      }
    }
    assertEquals(1, StoppedTimeSplit.of(quick.build()).share(Hypothesis.MEMORY_PRESSURE), 1e-9);
    assertEquals(0.25, StoppedTimeSplit.of(slow.build()).share(Hypothesis.MEMORY_PRESSURE), 1e-9);
  }
}
