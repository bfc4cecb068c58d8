package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.jvm.SafepointStop;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import io.gcdiag.units.Bytes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class BracketLogParserTest {

  private static final String PARNEW =
      "2020-03-25T16:16:18.390+0800: 1294233.934: [GC (Allocation Failure) "
          + "2020-03-25T16:16:18.391+0800: 1294233.935: [ParNew: 1770060K->25950K(1922432K), "
          + "0.0317141 secs] 2105763K->361653K(4019584K), 0.0323010 secs] "
          + "[Times: user=0.12 sys=0.00, real=0.04 secs]";

  private static final String OTHER_WORDS = "0.050: [Full GC 3K->1K(9K), 0.1000000 secs]";

  @Test
  void sizesThatAreWrittenInTheMiddleOfAWordHideNoPause() throws IOException {
    GcLog log =
        read(
            "0.175: [GCAdaptiveSizePolicy::compute_survivor_space_size_and_thresh:  survived: 2721008"
                + "  promoted: 13580768  overflow: trueAdaptiveSizeStart: 0.186 collection: 1 \n"
                + "AdaptiveSizeStop: collection: 1 \n"
                + " [PSYoungGen: 16420K->2657K(19136K)] 16420K->15919K(62848K), 0.0109211 secs]\n"
                + "0.208: [Full GCAdaptiveSizeStart: 0.216 collection: 3 \n"
                + " [PSYoungGen: 2657K->0K(35584K)] 32023K->31933K(102272K), 0.0078451 secs]\n");

    assertEquals(2, log.pauses.size());
    LogRow young = LogRow.of(log).get(0);
    assertEquals(PauseKind.YOUNG, young.kind());
    assertEquals(Duration.ofNanos(10_921_100), young.duration());
    assertEquals(change(16_420, 15_919, 62_848), young.heap().orElseThrow());
    assertEquals(PauseKind.FULL, LogRow.of(log).get(1).kind());
    assertEquals(Duration.ofNanos(7_845_100), LogRow.of(log).get(1).duration());
  }

  /** {@code -XX:+PrintClassHistogramBeforeFullGC}: the names of arrays of classes open brackets. */
  @Test
  void aClassHistogramInsideAFullCollectionIsNoPartOfIt() throws IOException {
    StringBuilder histogram = new StringBuilder();
    for (int rank = 1; rank <= 3_000; rank++) {
      String name = rank % 2 == 0 ? "[Lorg.example.Order" + rank + ";" : "org.example.Item" + rank;
      histogram.append(String.format("%4d: %13d %14d  %s%n", rank, 4_000 - rank, 9_000_000, name));
    }
    GcLog log =
        read(
            "10.000: [Full GC (System.gc()) 10.000: [Class Histogram (before full gc): \n"
                + " num     #instances         #bytes  class name\n"
                + "----------------------------------------------\n"
                + histogram
                + "Total       8000000      900000000\n"
                + ", 0.4000000 secs]\n"
                + "10.400: [CMS: 1000K->900K(2000K), 24.0000000 secs] 3000K->900K(4000K), "
                + "[Metaspace: 20K->20K(100K)], 24.6000000 secs] [Times: user=24.50 sys=0.10, real=24.60 secs] \n"
                + "40.000: [GC (Allocation Failure)  1500K->1000K(4000K), 0.3000000 secs]\n");

    assertEquals(2, log.pauses.size());
    LogRow full = LogRow.of(log).get(0);
    assertEquals(Duration.ofMillis(24_600), full.duration());
    assertEquals(PauseKind.FULL, full.kind());
    assertEquals("System.gc()", full.type().cause());
    assertEquals(change(3_000, 900, 4_000), full.heap().orElseThrow());
    assertEquals(List.of(), log.notes());
  }

  @Test
  void oneLineOfParNewGivesEverythingThatIsOnIt() throws IOException {
    GcLog log = read(PARNEW);

    LogRow pause = only(log);
    // 16:16:18.390 at +08:00 is 08:16:18.390 in UTC.
    assertEquals(
        Instant.parse("2020-03-25T08:16:18.390Z"), pause.start().wallClock().orElseThrow());
    assertEquals(Duration.ofMillis(1_294_233_934L), pause.start().uptime().orElseThrow());
    assertEquals(Duration.ofNanos(32_301_000), pause.duration());
    assertEquals(PauseKind.YOUNG, pause.kind());
    assertEquals("Allocation Failure", pause.type().cause());
    assertEquals(change(2_105_763, 361_653, 4_019_584), pause.heap().orElseThrow());
    assertFalse(pause.type().evacuationFailure());
    assertEquals(
        new LogRow.Cpu(Duration.ofMillis(120), Duration.ZERO, Duration.ofMillis(40)),
        pause.cpu().orElseThrow());
    assertEquals(1, pause.line());
    // Either CMS or the serial collector may stand behind it.
    assertEquals("ParNew", log.origin().collector().orElseThrow());
    assertEquals("8 or earlier", log.origin().jdks());
    assertEquals(List.of(), log.notes());
  }

  /** Lines that repeat one before in all but their figures are read without the grammar. */
  @Test
  void aLineIsReadTheSameWhetherOrNotItsWordsCameBefore() throws IOException {
    String full =
        "0.500: [Full GC (Ergonomics) [PSYoungGen: 2553K->0K(35328K)] [ParOldGen: "
            + "33504K->26498K(58880K)] 36058K->26498K(94208K), [Metaspace: 2877K->2877K(1056768K)], "
            + "0.0047579 secs] [Times: user=0.02 sys=0.00, real=0.01 secs] ";
    String mark =
        "0.600: [GC (CMS Initial Mark) [1 CMS-initial-mark: 29019K(43712K)] 33655K(63360K), "
            + "0.0002238 secs] [Times: user=0.00 sys=0.00, real=0.00 secs] ";
    String bare = "0.700: [GC 1024K->512K(2048K), 0.0010000 secs]";
    String noSizes = "0.800: [GC remark, 0.0011111 secs]";
    String numbered = "#3: 0.900: [GC 1024K->512K(2048K), 0.0010000 secs]";
    for (String line : List.of(PARNEW, full, mark, bare, noSizes, numbered)) {
      for (String other : variants(line)) {
        List<LogRow> behindOthers = LogRow.of(read(OTHER_WORDS, other));
        List<LogRow> behindItsLike = LogRow.of(read(line, line, other));

        assertEquals(behindOthers.size() - 1, behindItsLike.size() - 2, other);
        for (int i = 1; i < behindOthers.size(); i++) {
          assertEquals(behindOthers.get(i).onLine(0), behindItsLike.get(i + 1).onLine(0), other);
        }
      }
    }
  }

  /** Other figures, longer ones, too long ones, and other marks between them. */
  private static List<String> variants(String line) {
    return List.of(
        line.replaceAll("[1-9](?=\\d*K)", "7"),
        line.replaceAll("(\\d+)K", "1$1K"),
        line.replaceAll("(\\d+)K", "12345678901234567890K"),
        line.replaceAll("(\\d+)K", "1234567890123456K"),
        line.replaceAll("(\\d+)\\.(\\d+) secs", "1$1.9$2 secs"),
        line.replaceAll("(\\d+)\\.(\\d+) secs", "$1.$200000000000000000001 secs"),
        line.replaceAll("(\\d+)\\.(\\d+) secs", "123456789012345678901.5 secs"),
        line.replaceAll("\\.(\\d)(\\d\\d):", ".$1$2$2:"),
        line.replaceAll("(\\d)(\\.\\d\\d\\d:)", "1234567890123$1$2"),
        line.replaceAll("-(\\d\\d)-(\\d\\d)T", "-99-$2T"),
        line.replaceAll("T(\\d\\d):", "T$11:"),
        line.replaceAll("user=(\\d)", "user=9$1"),
        line.replaceAll("real=(\\d)\\.(\\d\\d)", "real=$1.$23"),
        line + line,
        line + " [GC",
        " " + line,
        line.replace("[GC", "[GC1"),
        line.replace('.', ','));
  }

  @Test
  void aConcurrentModeFailureIsOneFullPauseThatEndsOnTheSecondLine() throws IOException {
    GcLog log =
        read(
            "2026-11-21T05:47:26.798+0000: 0.446: [GC (Allocation Failure) "
                + "2026-11-21T05:47:26.798+0000: 0.446: [ParNew: 19635K->19635K(19648K), "
                + "0.0000076 secs]2026-11-21T05:47:26.798+0000: 0.446: [CMS"
                + "2026-11-21T05:47:26.798+0000: 0.446: [CMS-concurrent-abortable-preclean: "
                + "0.007/0.319 secs] [Times: user=0.12 sys=0.09, real=0.31 secs] ",
            " (concurrent mode failure): 170245K->81460K(170624K), 0.0121928 secs] "
                + "189880K->81460K(190272K), [Metaspace: 2860K->2860K(1056768K)], 0.0123845 secs] "
                + "[Times: user=0.02 sys=0.00, real=0.02 secs] ");

    LogRow pause = only(log);
    assertEquals(PauseKind.FULL, pause.kind());
    assertEquals(Duration.ofNanos(12_384_500), pause.duration());
    assertEquals(change(189_880, 81_460, 190_272), pause.heap().orElseThrow());
    assertEquals(Duration.ofMillis(20), pause.cpu().orElseThrow().user());
    assertEquals(2, pause.line());
  }

  @Test
  void thePausesOfMarkingHaveTheirOwnKinds() throws IOException {
    GcLog log =
        read(
            "0.125: [GC (CMS Initial Mark) [1 CMS-initial-mark: 29019K(43712K)] 33655K(63360K), "
                + "0.0002238 secs] [Times: user=0.00 sys=0.00, real=0.00 secs] ",
            "0.125: [CMS-concurrent-mark-start]",
            "1.256: [GC (CMS Final Remark) [YG occupancy: 10108 K (78656 K)]1.256: "
                + "[Rescan (parallel) , 0.0001955 secs][1 CMS-remark: 159425K(174784K)] "
                + "169533K(253440K), 0.0009988 secs]");

    assertEquals(
        List.of(PauseKind.MARK_START, PauseKind.REMARK),
        LogRow.of(log).stream().map(LogRow::kind).toList());
    assertEquals(change(33_655, 33_655, 63_360), LogRow.of(log).get(0).heap().orElseThrow());
  }

  @Test
  void linesThatG1WritesIntoARecordDoNotBreakIt() throws IOException {
    GcLog log =
        read(
            "1.272: [GC pause (G1 Humongous Allocation) (young) (to-space exhausted)"
                + "1.285: [GC concurrent-mark-end, 0.0228008 secs]",
            ", 0.0166118 secs]",
            "   [Parallel Time: 13.1 ms, GC Workers: 2]",
            "      [GC Worker Start (ms): Min: 1271.9, Avg: 1278.4, Max: 1284.9, Diff: 13.0]",
            "   [Eden: 7168.0K(7168.0K)->0.0B(4096.0K) Survivors: 0.0B->1024.0K "
                + "Heap: 10.0M(64.0M)->3352.5K(64.0M)]",
            " [Times: user=0.01 sys=0.02, real=0.03 secs] ");

    LogRow pause = only(log);
    assertEquals(Duration.ofNanos(16_611_800), pause.duration());
    assertEquals("G1 Humongous Allocation", pause.type().cause());
    assertTrue(pause.type().evacuationFailure());
    // 3352.5 x 1024 = 3432960 bytes.
    assertEquals(
        new HeapChange(Bytes.ofMebi(10), Bytes.of(3_432_960), Bytes.ofMebi(64)),
        pause.heap().orElseThrow());
    assertEquals(Duration.ofMillis(20), pause.cpu().orElseThrow().system());
  }

  @Test
  void fullCollectionsOfSerialAreRead() throws IOException {
    GcLog log =
        read(
            "0.381: [Full GC (System.gc()) 0.381: [Tenured: 174772K->62471K(174784K), "
                + "0.0414609 secs] 194420K->62471K(194432K), "
                + "[Metaspace: 2879K->2879K(1056768K)], 0.0415773 secs]");

    assertEquals(PauseKind.FULL, only(log).kind());
    assertEquals("System.gc()", only(log).type().cause());
    assertEquals("Serial", log.origin().collector().orElseThrow());
  }

  @Test
  void aRecordThatWasCutCostsNoOther() throws IOException {
    GcLog log = read("0.070: [GC (Allocation Failure) 0.071: [ParNew: 17472K->21", PARNEW);

    assertEquals(2, only(log).line());
    assertEquals(
        "1 record of a pause is left out, without an end or a time: line 2, uptime 70 ms",
        log.notes().get(0));
    assertEquals(log.notes().get(0), log.extent().unread().orElseThrow());
  }

  @Test
  void stoppedTimeIsSplitIntoReachingAndStanding() throws IOException {
    GcLog log =
        read(
            PARNEW,
            "1294233.967: Total time for which application threads were stopped: 0.0330000 "
                + "seconds, Stopping threads took: 0.0002000 seconds",
            "1294235.000: Total time for which application threads were stopped: 0.0050000 "
                + "seconds, Stopping threads took: 0.0040000 seconds");

    SafepointStop collection = log.stalls.placed(0, "gc.log");
    SafepointStop other = log.stalls.placed(1, "gc.log");
    assertTrue(collection.collection());
    assertFalse(other.collection());
    assertEquals(Duration.ofMillis(4), other.reaching());
    assertEquals(Duration.ofMillis(1), other.at());
    // Stamped at the end: 1294235.000 - 0.005.
    assertEquals(Duration.ofMillis(1_294_234_995L).toNanos(), log.stalls.uptime(1));
  }

  private static HeapChange change(long before, long after, long committed) {
    return new HeapChange(Bytes.ofKibi(before), Bytes.ofKibi(after), Bytes.ofKibi(committed));
  }

  private static LogRow only(GcLog log) {
    assertEquals(1, log.pauses.size(), () -> LogRow.of(log).toString());
    return LogRow.of(log).get(0);
  }

  private static GcLog read(String... lines) throws IOException {
    byte[] text = String.join("\n", lines).getBytes(StandardCharsets.UTF_8);
    return GcLogReader.read(new ByteArrayInputStream(text));
  }

  private static List<String> phases(GcLog log) {
    return log.phases.phases.stream()
        .map(
            phase ->
                phase.part()
                    + " "
                    + phase.duration().toMillis()
                    + " of "
                    + phase.pause().toMillis()
                    + " ms, line "
                    + phase.line())
        .toList();
  }

  /** {@code PrintReferenceGC}, with details; the pool's slowest worker makes the others wait. */
  @Test
  void referencesByKindAndRootsByTheSlowestWorkerAreRead() throws IOException {
    GcLog log =
        read(
            "7352.812: [GC pause (G1 Evacuation Pause) (young)7352.855: [SoftReference, 0 refs,"
                + " 0.0000428 secs]7352.855: [WeakReference, 201 refs, 0.0020261"
                + " secs]7352.856: [PhantomReference, 1276 refs, 0 refs, 0.0032082"
                + " secs]7352.856: [JNI Weak Reference, 0.0170219 secs], 0.0748847 secs]",
            "   [Parallel Time: 41.4 ms, GC Workers: 8]",
            "      [Ext Root Scanning (ms): Min: 34.8, Avg: 38.7, Max: 41.0, Diff: 6.2, Sum: 310.0]",
            "      [Code Root Scanning (ms): Min: 0.0, Avg: 0.0, Max: 0.1, Diff: 0.1, Sum: 0.2]",
            "   [Other: 33.1 ms]",
            "      [Evacuation Failure: 5.4 ms]",
            "      [Ref Proc: 23.2 ms]");
    assertEquals(
        List.of(
            "WEAK_REFERENCES 2 of 74 ms, line 1",
            "PHANTOM_REFERENCES 3 of 74 ms, line 1",
            "JNI_WEAK_REFERENCES 17 of 74 ms, line 1",
            "ROOTS 41 of 74 ms, line 1",
            "FAILED_EVACUATION 5 of 74 ms, line 1",
            "REFERENCES 23 of 74 ms, line 1"),
        phases(log));
  }

  private static final String STATISTICS =
      "         vmop                    [threads: total initially_running wait_to_block]    [time:"
          + " spin block sync cleanup vmop] page_trap_count";

  private static final String ROW =
      "10.526: RevokeBias                       [     154          0              3    ]      [   "
          + "  0  3471  3583   531  5342    ]  0   ";

  /**
   * {@code PrintSafepointStatistics} of JDK 8, in ms: 3583 to stop all threads, 531 + 5342 then.
   */
  @Test
  void theStatisticsOfSafepointsAreRead() throws IOException {
    GcLog log = read(STATISTICS, ROW, STATISTICS, ROW.replace("10.526: RevokeBias", "30.5: x"));
    assertEquals(1, log.stalls.size());
    SafepointStop stop = log.stalls.placed(0, "safepoint.log");
    assertEquals("RevokeBias", stop.operation());
    assertFalse(stop.collection());
    assertEquals(Duration.ofMillis(3583), stop.reaching());
    assertEquals(Duration.ofMillis(5873), stop.at());
    assertEquals(Duration.ofMillis(10_526).toNanos(), log.stalls.uptime(0));
  }

  @Test
  void aStopWithALineOfItsOwnIsNotCountedAgainFromTheStatistics() throws IOException {
    GcLog log =
        read(
            "9.456: Total time for which application threads were stopped: 0.0002000 seconds,"
                + " Stopping threads took: 0.0000100 seconds",
            STATISTICS,
            ROW,
            "19.982: Total time for which application threads were stopped: 9.4561000 seconds,"
                + " Stopping threads took: 3.5831000 seconds");
    assertEquals(2, log.stalls.size());
    assertEquals(0, log.extent().linesNotUnderstood());
  }

  /** Each remark is read as a whole, although it looks like the one before. */
  @Test
  void phasesOfARemarkAreReadEachTime() throws IOException {
    String remark =
        "2026-11-21T05:47:2%1$d.564+0000: %1$d.212: [GC (CMS Final Remark) [YG occupancy: 12915 K"
            + " (78656 K)]2026-11-21T05:47:2%1$d.564+0000: %1$d.212: [Rescan (parallel) , 0.0007978"
            + " secs]2026-11-21T05:47:2%1$d.565+0000: %1$d.213: [weak refs processing, 0.%1$d100057"
            + " secs]2026-11-21T05:47:2%1$d.565+0000: %1$d.213: [class unloading, 0.0302001"
            + " secs][1 CMS-remark: 162981K(174784K)] 175896K(253440K), 0.9015178 secs]";
    GcLog log =
        read(remark.formatted(1), remark.formatted(2), remark.formatted(3), remark.formatted(4));
    assertEquals(
        List.of(
            "REFERENCES 110 of 901 ms, line 1",
            "CLASSES 30 of 901 ms, line 1",
            "REFERENCES 210 of 901 ms, line 2",
            "CLASSES 30 of 901 ms, line 2",
            "REFERENCES 310 of 901 ms, line 3",
            "CLASSES 30 of 901 ms, line 3",
            "REFERENCES 410 of 901 ms, line 4",
            "CLASSES 30 of 901 ms, line 4"),
        phases(log));
  }

  @Test
  void phasesOfG1StandBehindItsPauses() throws IOException {
    GcLog log =
        read(
            "2026-11-21T05:47:37.674+0000: 0.110: [GC pause (G1 Evacuation Pause) (young), 0.0718904"
                + " secs]",
            "   [Parallel Time: 1.7 ms, GC Workers: 2]",
            "      [Code Root Scanning (ms): Min: 0.2, Avg: 0.7, Max: 1.2, Diff: 1.0, Sum: 1.4]",
            "   [Code Root Fixup: 0.0 ms]",
            "      [Object Copy (ms): Min: 1.0, Avg: 2.2, Max: 3.1, Diff: 2.1, Sum: 4.4]",
            "   [Code Root Purge: 4.0 ms]",
            "   [String Dedup Fixup: 7.0 ms, GC Workers: 2]",
            "   [Other: 66.2 ms]",
            "      [Ref Proc: 61.3 ms]",
            "2026-11-21T05:47:38.091+0000: 0.527: [GC remark 2026-11-21T05:47:38.091+0000: 0.527:"
                + " [Finalize Marking, 0.0001170 secs] 2026-11-21T05:47:38.091+0000: 0.528: [GC"
                + " ref-proc, 0.0020372 secs] 2026-11-21T05:47:38.092+0000: 0.528: [Unloading,"
                + " 0.0058603 secs], 0.0083274 secs]");
    assertEquals(
        List.of(
            "CODE 1 of 71 ms, line 1",
            "OBJECT_COPY 3 of 71 ms, line 1",
            "CODE 4 of 71 ms, line 1",
            "STRING_DEDUPLICATION 7 of 71 ms, line 1",
            "REFERENCES 61 of 71 ms, line 1",
            "REFERENCES 2 of 8 ms, line 10",
            "CLASSES 5 of 8 ms, line 10"),
        phases(log));
  }

  @Test
  void pausesOfShenandoahAreStampedAtTheirEnd() throws IOException {
    GcLog log =
        read(
            """
            294.900: [Pause Init Mark (process weakrefs), 0.419 ms]
            Trigger: Handle Allocation Failure
            Free: 0B, Max: 0B regular, 0B humongous, Frag: 0% external, 0% internal; Reserve: 26368K, Max: 1024K
            2022-08-17T16:25:40.252+0800: 295.036: [Pause Degenerated GC (Update Refs), start]
                Using 2 of 2 workers for stw degenerated gc
            2022-08-17T16:25:40.436+0800: 295.220: [Pause Degenerated GC (Update Refs) 3941M->1733M(3966M), 184.489 ms]
            295.301: [Concurrent cleanup 3941M->1733M(3966M), 0.346 ms]
            296.500: [Pause Full 3960M->1500M(3966M), 1000.000 ms]
            """);
    assertEquals(3, log.pauses.size());
    LogRow degenerated = LogRow.of(log).get(1);
    assertEquals(PauseKind.OTHER, degenerated.kind());
    assertEquals("Degenerated GC", degenerated.type().cause());
    assertEquals(Duration.ofNanos(184_489_000), degenerated.duration());
    // 295.220 s - 184.489 ms
    assertEquals(Duration.ofNanos(295_035_511_000L), degenerated.start().uptime().orElseThrow());
    assertEquals(
        change(3_941 * 1_024, 1_733 * 1_024, 3_966 * 1_024), degenerated.heap().orElseThrow());
    assertEquals(PauseKind.MARK_START, LogRow.of(log).get(0).kind());
    assertEquals(PauseKind.FULL, LogRow.of(log).get(2).kind());
    assertEquals(1, log.cycles.size());
    assertEquals(0, log.extent().linesNotUnderstood());
  }
}
