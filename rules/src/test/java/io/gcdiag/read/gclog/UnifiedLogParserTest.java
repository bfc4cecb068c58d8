package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.read.gclog.GcLog.LoggedPhase;
import io.gcdiag.read.gclog.GcLog.LoggedRegions;
import io.gcdiag.read.gclog.GcLog.LoggedWait;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import io.gcdiag.units.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UnifiedLogParserTest {

  @Test
  void theStartLineGivesTheStartAndTheCpuLineTheCpuTimes() throws IOException {
    LogRow pause =
        only(
            read(
                "[2026-11-21T05:46:33.659+0100][0.077s][info][gc,start    ] GC(7) Pause Young"
                    + " (Normal) (G1 Evacuation Pause)",
                "[2026-11-21T05:46:33.665+0100][0.083s][info][gc          ] GC(7) Pause Young"
                    + " (Normal) (G1 Evacuation Pause) 23M->7M(66M) 5.487ms",
                "[2026-11-21T05:46:33.665+0100][0.083s][info][gc,cpu      ] GC(7) User=0.02s"
                    + " Sys=0.01s Real=0.03s"));

    assertEquals(
        Instant.parse("2026-11-21T04:46:33.659Z"), pause.start().wallClock().orElseThrow());
    assertEquals(Duration.ofMillis(77), pause.start().uptime().orElseThrow());
    assertEquals(Duration.ofNanos(5_487_000), pause.duration());
    assertEquals(
        new HeapChange(Bytes.ofMebi(23), Bytes.ofMebi(7), Bytes.ofMebi(66)),
        pause.heap().orElseThrow());
    assertEquals(
        new LogRow.Cpu(Duration.ofMillis(20), Duration.ofMillis(10), Duration.ofMillis(30)),
        pause.cpu().orElseThrow());
    assertEquals(7, pause.gcId());
    assertEquals(2, pause.line());
  }

  /** Some builds of JDK 11 write it so, in all their times in milliseconds. */
  @Test
  void aBlankMayStandBeforeTheUnit() throws IOException {
    GcLog log =
        read(
            "[8.410s][info ][gc,start  ] GC(31) Pause Young (Normal) (G1 Evacuation Pause)",
            "[8.417s][debug][gc,phases ] GC(31)     Reference Processing: 4.5 ms",
            "[8.417s][info ][gc        ] GC(31) Pause Young (Normal) (G1 Evacuation Pause)"
                + " 1338M->1324M(5120M) 6.363 ms",
            "[9.100s][info ][gc        ] GC(32) Pause Remark 1.250 ms");
    assertEquals(
        List.of(Duration.ofNanos(6_363_000), Duration.ofNanos(1_250_000)),
        LogRow.of(log).stream().map(LogRow::duration).toList());
    assertEquals(
        new HeapChange(Bytes.ofMebi(1338), Bytes.ofMebi(1324), Bytes.ofMebi(5120)),
        LogRow.of(log).get(0).heap().orElseThrow());
    assertEquals(
        List.of(Duration.ofNanos(4_500_000)),
        log.phases.phases.stream().map(LoggedPhase::duration).toList());
  }

  /** Two tags print the references; concurrent work has the number of its cycle as well. */
  @Test
  void phasesOfAPauseAreThoseBeforeItsEnd() throws IOException {
    List<LoggedPhase> phases =
        read(
                "[3.244s][debug][gc,phases       ] GC(8) Class Unloading 90.5ms",
                "[3.248s][info ][gc,start        ] GC(8) Pause Remark",
                "[3.250s][debug][gc,phases,ref   ] GC(8)     Reference Processing: 4.1ms",
                "[3.250s][debug][gc,phases       ] GC(8) Reference Processing 4.2ms",
                "[3.251s][debug][gc,phases       ] GC(8) Weak Processing 0.9ms",
                "[3.252s][debug][gc,phases       ] GC(8)       Code Root Scan (ms):  Min:  0.1",
                "[3.253s][debug][gc,phases       ] GC(8)   NMethod List Cleanup: 1.5ms",
                "[3.254s][info ][gc              ] GC(8) Pause Remark 119M->80M(160M) 6.295ms",
                "[3.260s][info ][gc              ] GC(9) Pause Cleanup 80M->80M(160M) 0.295ms")
            .phases
            .phases;
    assertEquals(
        List.of("REFERENCES 4200", "CODE 1500"),
        phases.stream()
            .map(phase -> phase.part() + " " + phase.duration().toNanos() / 1_000)
            .toList());
    assertEquals(Duration.ofNanos(6_295_000), phases.get(0).pause());
    assertEquals(8, phases.get(0).line());
  }

  @Test
  void threadsThatGiveUpAnAllocationAreRead() throws IOException {
    GcLog log =
        read(
            "[8.100s][info][gc] GC(31) Pause Young (Normal) (GCLocker Initiated GC) 8M->4M(9M)"
                + " 6.363ms",
            "[8.336s][warning][gc,alloc] pool-2-thread-1: Retried waiting for GCLocker too often"
                + " allocating 259961 words");
    assertEquals(1, log.starved.size());
    assertEquals("pool-2-thread-1", log.starved.get(0).name());
    assertEquals(Duration.ofMillis(8_336), log.starved.get(0).at().uptime().orElseThrow());
    assertEquals(0, log.extent().linesNotUnderstood());
  }

  /** The other workers wait for the slowest. Kinds of references have lines of their own. */
  @Test
  void phasesOfWorkersLastAsLongAsTheSlowest() throws IOException {
    assertEquals(
        List.of("WEAK_REFERENCES 3100", "CODE 46400", "ROOTS 2500", "OBJECT_COPY 52100"),
        read(
                "[3.250s][debug][gc,phases     ] GC(8)     Code Root Scan (ms):           Min:  0.0,"
                    + " Avg:  5.7, Max: 46.4, Diff: 46.4, Sum: 57.0, Workers: 10",
                "[3.250s][debug][gc,phases     ] GC(8)     Ext Root Scanning (ms):  Min:  0.1, Avg:"
                    + "  1.2, Max:  2.5, Diff:  2.4, Sum: 12.0, Workers: 10",
                "[3.250s][debug][gc,phases     ] GC(8)     Object Copy (ms):         Min: 50.0, Avg:"
                    + " 51.1, Max: 52.1, Diff:  2.1, Sum: 511.0, Workers: 10",
                "[3.250s][debug][gc,phases,ref ] GC(8)       Notify Soft/WeakReferences: 3.1ms",
                "[3.254s][info ][gc            ] GC(8) Pause Young (Normal) (G1 Evacuation Pause)"
                    + " 119M->80M(160M) 66.295ms")
            .phases
            .phases
            .stream()
            .map(phase -> phase.part() + " " + phase.duration().toNanos() / 1_000)
            .toList());
  }

  @Test
  void ofEachSecondTheMostRegionsOfLargeObjectsAreTold() throws IOException {
    List<LoggedRegions> regions =
        read(
                "[1.120s][info][gc,heap     ] GC(1) Humongous regions: 0->0",
                "[2.120s][info][gc,heap     ] GC(2) Humongous regions: 12->8",
                "[2.820s][info][gc,heap     ] GC(3) Humongous regions: 14->2",
                "[2.920s][info][gc,heap     ] GC(4) Humongous regions: 3->3",
                "[3.120s][info][gc,heap     ] GC(5) Humongous regions: 1->0",
                "[3.220s][info][gc,heap     ] GC(6) Humongous regions: 1-")
            .humongous();
    assertEquals(
        List.of("14->2 in line 3", "1->0 in line 5"),
        regions.stream()
            .map(one -> one.before() + "->" + one.after() + " in line " + one.line())
            .toList());
    assertEquals(Duration.ofMillis(2_820), regions.get(0).end().uptime().orElseThrow());
  }

  @Test
  void threadsThatWaitForMemoryAreTold() throws IOException {
    GcLog told =
        read(
            "[42.435s][info][gc          ] Allocation Stall (http-nio-8080-exec-7) 4.502ms",
            "[42.441s][info][gc          ] GC(38) O: Relocation Stall (ZWorkerOld#0) 6.066ms",
            "[42.447s][info][gc          ] Relocation Stall (http-nio-8080-exec-9) 11.573ms");

    // The one in the middle is a thread of the collector.
    assertEquals(2, told.waits.size());
    assertEquals("http-nio-8080-exec-7", told.waits.get(0).thread());
    assertEquals(Duration.ofNanos(4_502_000), told.waits.get(0).duration());
    assertEquals(Duration.ofMillis(42_435), told.waits.get(0).end().uptime().orElseThrow());
  }

  @Test
  void whatShenandoahSlowedThreadsDownByIsTold() throws IOException {
    GcLog told =
        read(
            "[26.016s][info][gc,stats    ] Pacing                            73681 us",
            "[26.016s][info][gc,stats    ] Allocation pacing accrued:",
            "[26.016s][info][gc,stats    ]      33 of   371 ms (  8.8%): exec-1",
            "[26.016s][info][gc,stats    ]      41 of   371 ms ( 11.1%): exec-2",
            "[26.016s][info][gc,stats    ]      74 of   371 ms ( 19.8%): <total>",
            "[26.016s][info][gc,stats    ]       3 of   371 ms (  0.9%): <average total>");

    assertEquals(List.of("exec-1", "exec-2"), told.waits.stream().map(LoggedWait::thread).toList());
    assertEquals(Duration.ofMillis(41), told.waits.get(1).duration());
    assertTrue(told.waits.get(1).paced());
  }

  @Test
  void cyclesOfConcurrentCollectorsAreTold() throws IOException {
    GcLog told =
        read(
            "[1.000s][info][gc] GC(3) Minor Collection (Allocation Rate)",
            "[1.200s][info][gc] GC(3) Minor Collection (Allocation Rate) 308M(60%)->172M(34%)"
                + " 0.352s",
            "[2.200s][info][gc] GC(4) Major Collection (Allocation Stall) 512M(100%)->504M(98%)"
                + " 1.2s",
            "[3.200s][info][gc] GC(5) Garbage Collection (Warmup) 82M(32%)->48M(19%)",
            "[4.200s][info][gc] GC(6) Concurrent cleanup 312M->65M(512M) 0.512ms");

    assertEquals(
        List.of("false 172 MiB", "true 504 MiB", "true 48 MiB", "true 65 MiB"),
        told.cycles.stream().map(cycle -> cycle.whole() + " " + cycle.usedAfter()).toList());
  }

  @Test
  void withoutAStartLineTheStartIsTheEndLessTheDuration() throws IOException {
    LogRow pause =
        only(read("[1.000s][info][gc] GC(0) Pause Full (System.gc()) 2G->512K(3G) 250,5ms"));

    // 1000 - 250.5 ms; the comma is how some locales write it.
    assertEquals(Duration.ofNanos(749_500_000), pause.start().uptime().orElseThrow());
    assertTrue(pause.start().wallClock().isEmpty());
    assertEquals("System.gc()", pause.type().cause());
    assertEquals(
        new HeapChange(Bytes.ofMebi(2048), Bytes.ofKibi(512), Bytes.ofMebi(3072)),
        pause.heap().orElseThrow());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Pause Young (Normal) (G1 Evacuation Pause) | YOUNG | G1 Evacuation Pause | false
          Pause Young (Prepare Mixed) (GCLocker Initiated GC) | YOUNG | GCLocker Initiated GC | false
          Pause Young (Concurrent Start) (G1 Humongous Allocation) | YOUNG | G1 Humongous Allocation | false
          Pause Young (Mixed) (G1 Evacuation Pause) (Evacuation Failure: Pinned) | MIXED | G1 Evacuation Pause | true
          Pause Young (Normal) (G1 Evacuation Pause) (To-space Exhausted) | YOUNG | G1 Evacuation Pause | true
          Pause Initial Mark (G1 Evacuation Pause) | YOUNG | G1 Evacuation Pause | false
          Pause Full (G1 Compaction Pause) | FULL | G1 Compaction Pause | false
          Pause Full (System.gc()) | FULL | System.gc() | false
          Pause Young (Allocation Failure) | YOUNG | Allocation Failure | false
          Pause Initial Mark | MARK_START | '' | false
          Pause Remark | REMARK | '' | false
          Pause Cleanup | CLEANUP | '' | false
          Pause Mark Start (Major) | MARK_START | '' | false
          Pause Mark End | REMARK | '' | false
          Pause Relocate Start | CLEANUP | '' | false
          Pause Init Mark (unload classes) | MARK_START | '' | false
          Pause Final Mark (unload classes) | REMARK | '' | false
          Pause Final Update Refs | CLEANUP | '' | false
          Pause Degenerated GC (Mark) | OTHER | Degenerated GC | false
          """)
  void aPauseIsWhatItsWordsSay(String words, PauseKind kind, String cause, boolean failure) {
    assertEquals(new PauseName(kind, cause, failure), PauseName.of(words));
  }

  @ParameterizedTest(name = "decorations {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          [2026-11-21T05:48:10.185+0000][0.067s][1795240090185ms][66ms][1307726819979ns][vm][19338][info][gc] | 2026-11-21T05:48:10.180Z | 62
          [2026-11-21T05:48:10.185+0000][info][gc] | 2026-11-21T05:48:10.180Z | none
          [66ms][info][gc] | none | 61
          [66000000ns][info][gc] | none | 61
          [1795240090185ms][info][gc] | 2026-11-21T05:48:10.180Z | none
          [info][gc] | none | none
          '' | none | none
          2026-11-21T05:48:10.2Z stdout F [0.067s][info][gc] | none | 62
          shop-7f9c [pod] > [0.067s][gc] | none | 62
          """)
  void decorationsAreToldByTheirContent(String decorations, String date, String uptimeMillis)
      throws IOException {
    String prefix = decorations == null ? "" : decorations + " ";
    LogRow pause = only(read(prefix + "GC(0) Pause Remark 66M->66M(256M) 5.000ms"));

    assertEquals(date, pause.start().wallClock().map(Instant::toString).orElse("none"));
    assertEquals(
        uptimeMillis,
        pause.start().uptime().map(Duration::toMillis).map(String::valueOf).orElse("none"));
  }

  @Test
  void aFullCollectionInsideAYoungOneIsPartOfIt() throws IOException {
    LogRow started =
        only(
            read(
                "[0.158s][info][gc,start] GC(8) Pause Young (Allocation Failure)",
                "[0.163s][info][gc,start] GC(9) Pause Full (Allocation Failure)",
                "[0.173s][info][gc] GC(9) Pause Full (Allocation Failure) 114M->55M(131M) 10.069ms",
                "[0.173s][info][gc,heap] GC(8) DefNew: 19647K->0K(19648K)",
                "[0.173s][info][gc] GC(8) Pause Young (Allocation Failure) 124M->55M(153M)"
                    + " 14.732ms"));
    LogRow bare =
        only(
            read(
                "[0.173s][info][gc] GC(9) Pause Full (Allocation Failure) 114M->55M(131M) 10.069ms",
                "[0.173s][info][gc] GC(8) Pause Young (Allocation Failure) 124M->55M(153M)"
                    + " 14.732ms"));

    assertEquals(PauseKind.FULL, started.kind());
    assertEquals(Duration.ofNanos(14_732_000), started.duration());
    assertEquals(PauseKind.FULL, bare.kind());
    assertEquals(Duration.ofNanos(14_732_000), bare.duration());
  }

  @Test
  void aYoungCollectionForTheRemarkOfCmsIsPartOfIt() throws IOException {
    LogRow pause =
        only(
            read(
                "[0.307s][info][gc] GC(9) Pause Young (CMS Final Remark) 26M->14M(35M) 4.000ms",
                "[0.307s][info][gc] GC(5) Pause Remark 26M->14M(35M) 4.672ms"));

    assertEquals(PauseKind.REMARK, pause.kind());
    assertEquals(Duration.ofNanos(4_672_000), pause.duration());
  }

  @Test
  void safepointsOfBothGenerationsAreReadAndCollectionsMarked() throws IOException {
    GcLog log =
        read(
            "[0.082s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 23M->7M(66M)"
                + " 5.487ms",
            "[0.082s][info][safepoint] Safepoint \"G1CollectForAllocation\", Time since last: 31 ns,"
                + " Reaching safepoint: 181019 ns, Cleanup: 3 ns, At safepoint: 5513019 ns,"
                + " Total: 5709220 ns",
            "[0.500s][info][safepoint] Safepoint \"ThreadDump\", Time since last: 31 ns, Reaching"
                + " safepoint: 2000000 ns, At safepoint: 3000000 ns, Total: 5000000 ns",
            "[0.600s][info][safepoint] Entering safepoint region: RevokeBias",
            "[0.600s][info][safepoint] Total time for which application threads were stopped:"
                + " 0.0005000 seconds, Stopping threads took: 0.0001000 seconds");

    assertTrue(log.stalls.placed(0, "gc.log").collection());
    SafepointStop dump = log.stalls.placed(1, "gc.log");
    assertFalse(dump.collection());
    assertEquals("ThreadDump", dump.operation());
    assertEquals(Duration.ofMillis(2), dump.reaching());
    assertEquals(Duration.ofMillis(3), dump.at());
    assertEquals(Duration.ofMillis(495).toNanos(), log.stalls.uptime(1));
    SafepointStop bias = log.stalls.placed(2, "gc.log");
    assertEquals("RevokeBias", bias.operation());
    assertEquals(Duration.ofNanos(400_000), bias.at());
  }

  @Test
  void aClassHistogramIsAStopOfItsOwnUnlessACollectionIsMadeInside() throws IOException {
    String stop = "Time since last: 31 ns, Reaching safepoint: 2000000 ns, At safepoint: ";
    GcLog log =
        read(
            "[0.500s][info][safepoint] Safepoint \"GC_HeapInspection\", "
                + stop
                + "250000000 ns, Total: 252000000 ns",
            "[1.500s][info][gc] GC(4) Pause Full (Heap Inspection Initiated GC) 26M->14M(35M)"
                + " 300.000ms",
            "[1.600s][info][safepoint] Safepoint \"GC_HeapInspection\", "
                + stop
                + "400000000 ns, Total: 402000000 ns",
            "[2.000s][info][safepoint] Safepoint \"RotateGCLog\", "
                + stop
                + "1000000 ns, Total: 3000000 ns");

    // What the second one cost is told by the pause inside.
    assertEquals(
        List.of(false, true, false),
        IntStream.range(0, 3).mapToObj(i -> log.stalls.placed(i, "gc.log").collection()).toList());
    assertEquals(Duration.ofMillis(250), log.stalls.placed(0, "gc.log").at());
  }

  private static LogRow only(GcLog log) {
    assertEquals(1, log.pauses.size(), () -> LogRow.of(log).toString());
    return LogRow.of(log).get(0);
  }

  static GcLog read(String... lines) throws IOException {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return GcLogReader.read(new ByteArrayInputStream(text));
  }

  @Test
  void thePausesOfAMarkingHaveTheCauseOfTheCollectionThatStartedIt() throws IOException {
    String name = "GC(15) Pause Young (Concurrent Start) ";
    List<LogRow> humongous =
        LogRow.of(
            read(
                "[1.000s][info][gc] " + name + "(G1 Humongous Allocation) 9M->8M(30M) 1.700ms",
                "[1.001s][info][gc] GC(16) Concurrent Mark Cycle",
                "[1.005s][info][gc] GC(17) Pause Young (Normal) (G1 Evacuation Pause)"
                    + " 9M->8M(30M) 2.000ms",
                "[1.010s][info][gc] GC(16) Pause Remark 8M->8M(30M) 5.000ms",
                "[1.012s][info][gc] GC(16) Pause Cleanup 8M->8M(30M) 0.200ms"));
    assertEquals(
        List.of(
            "G1 Humongous Allocation",
            "G1 Evacuation Pause",
            "G1 Humongous Allocation",
            "G1 Humongous Allocation"),
        humongous.stream().map(pause -> pause.type().cause()).toList());
    List<LogRow> ordinary =
        LogRow.of(
            read(
                "[1.000s][info][gc] " + name + "(G1 Evacuation Pause) 9M->8M(30M) 1.700ms",
                "[1.010s][info][gc] GC(16) Pause Remark 8M->8M(30M) 5.000ms"));
    assertEquals("", ordinary.get(1).type().cause());
  }

  private static final String STATISTICS =
      "          vmop                            [ threads:    total initially_running wait_to_block ]"
          + "[ time:    spin   block    sync cleanup    vmop ] page_trap_count";

  private static final String BIAS =
      "  10.526: RevokeBias                   [               154                 0             3 ]"
          + "[             0    3471    3583     531    5342 ]               0";

  /** Up to JDK 11 without decorations amid other lines, in JDK 12 with them. */
  @Test
  void theStatisticsOfSafepointsAreReadAmidOtherLines() throws IOException {
    GcLog log =
        read(
            "[9.100s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 20M->10M(100M) 3.000ms",
            STATISTICS,
            BIAS,
            "[30.600s][debug][safepoint,stats] " + STATISTICS,
            "[30.600s][debug][safepoint,stats] " + BIAS.replace("10.526: RevokeBias", "30.500: x"));
    assertEquals(2, log.stalls.size());
    SafepointStop stop = log.stalls.placed(0, "gc.log");
    assertEquals("RevokeBias", stop.operation());
    assertEquals(Duration.ofMillis(3583), stop.reaching());
    assertEquals(Duration.ofMillis(5873), stop.at());
    assertEquals(0, log.extent().linesNotUnderstood());
  }
}
