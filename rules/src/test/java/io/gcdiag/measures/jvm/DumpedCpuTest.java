package io.gcdiag.measures.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.Made;
import io.gcdiag.evidence.threads.Deadlocks;
import io.gcdiag.evidence.threads.DumpTotals;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DumpedCpuTest {

  private static final Instant START = Instant.parse("2026-03-01T10:00:00Z");

  private final List<ThreadState> threads = new ArrayList<>();

  private DumpedCpuTest thread(String name, double cpuSeconds) {
    ThreadPosition standing = Made.position(1, "", (long) (cpuSeconds * 1e9));
    threads.add(
        new ThreadState(
            name, "RUNNABLE", ThreadActivity.RUNNING, "", false, false, standing, false, false));
    return this;
  }

  private ThreadSnapshot at(long second, Optional<DumpTotals> totals) {
    return new ThreadSnapshot(
        Optional.of(START.plusSeconds(second)),
        threads,
        Deadlocks.NONE,
        List.of(),
        totals,
        new Source("threads.txt", "1"));
  }

  private static DumpedCpuTest dump() {
    return new DumpedCpuTest();
  }

  private static Optional<DumpTotals> totals(long ageMillis, double ownCpuSeconds) {
    return Optional.of(
        new DumpTotals(
            Duration.ofMillis(ageMillis), Duration.ofMillis((long) (ownCpuSeconds * 1000))));
  }

  @Test
  void eachPartIsWhatItsThreadsUsedInTheTimeThatTheJvmAged() {
    // In 8 s: 4 s by a thread of the service, 2 s by a compiler, 6 s by the JVM's own threads, and
    // 1
    // s by one that was not there before.
    ThreadSnapshot before =
        dump().thread("exec-1", 10).thread("C2 CompilerThread0", 5).at(70, totals(70_250, 1));
    ThreadSnapshot after =
        dump()
            .thread("exec-1", 14)
            .thread("C2 CompilerThread0", 7)
            .thread("exec-2", 1)
            .at(78, totals(78_250, 7));
    DumpedCpu used = DumpedCpu.between(List.of(before, after)).orElseThrow();
    assertEquals(0.5, used.serviceCores(), 1e-9);
    assertEquals(0.25, used.compilersCores(), 1e-9);
    assertEquals(0.75, used.collectorCores(), 1e-9);
    assertEquals(0.125, used.newcomersCores(), 1e-9);
    assertEquals(1.625, used.atMostCores(), 1e-9);
    assertEquals(Duration.ofSeconds(8), used.covered());
  }

  @Test
  void datesToTheSecondAreTooCoarseForAShortTime() {
    ThreadSnapshot before = dump().thread("exec-1", 10).at(70, Optional.empty());
    ThreadSnapshot soon = dump().thread("exec-1", 14).at(74, Optional.empty());
    ThreadSnapshot later = dump().thread("exec-1", 14).at(75, Optional.empty());
    assertEquals(Optional.empty(), DumpedCpu.between(List.of(before, soon)));
    // 4 s in 5 s.
    assertEquals(0.8, DumpedCpu.between(List.of(before, later)).orElseThrow().serviceCores(), 1e-9);
  }

  @Test
  void dumpsOfTwoJvmsAreNotHeldAgainstEachOther() {
    ThreadSnapshot before = dump().thread("exec-1", 10).at(70, totals(70_000, 1));
    ThreadSnapshot restarted = dump().thread("exec-1", 14).at(80, totals(5_000, 1));
    assertEquals(Optional.empty(), DumpedCpu.between(List.of(before, restarted)));
  }
}
