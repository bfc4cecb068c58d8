package io.gcdiag.read.gclog;

import static io.gcdiag.read.gclog.UnifiedLogParserTest.read;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.jvm.PauseKind;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a whole log tells of the JVMs that wrote it, and of the order of its lines. */
class UnifiedLogRunsTest {

  @Test
  void aLogOfZgcWithoutTagsTellsItsVersionAndSizes() throws IOException {
    GcLog log =
        read(
            "[1795351944065ms][3ms] Initializing The Z Garbage Collector",
            "[1795351944065ms][3ms] Version: 17.0.15+6 (release)",
            "[1795351944066ms][4ms] Max Capacity: 128M",
            "[1795351944067ms][5ms] Using The Z Garbage Collector",
            "[1795351944167ms][105ms] GC(0) Pause Mark Start 0.012ms");

    assertEquals("17.0.15+6", log.origin().jvmVersion().orElseThrow());
    assertEquals("128M", log.origin().facts().get("MaxHeapSize"));
    assertEquals(1, log.extent().runs());
    assertEquals(0, log.extent().linesNotUnderstood());
  }

  @ParameterizedTest
  @CsvSource({
    "GC(3) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(99M) 2.000ms, 9 or later",
    "GC(3) Y: Pause Mark Start (Major) 0.012ms, 21 or later",
    "GC(3) Minor Collection (Allocation Rate) 128M(50%)->64M(25%) 0.052s, 21 or later",
    "GC(3) Pause Initial Mark, 9 to 13"
  })
  void theFormTellsWhichJdksItCanBe(String message, String jdks) throws IOException {
    assertEquals(jdks, read("[0.307s][info][gc] " + message).origin().jdks());
  }

  @Test
  void runsThatDifferAreToldSo() throws IOException {
    String run =
        """
        [0.003s][info][gc] Using G1
        [0.004s][info][gc,init] Version: 17.0.15+6 (release)
        [0.004s][info][gc,init] Heap Max Capacity: 128M
        [9.307s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(99M) 2.000ms
        """;
    assertEquals(1, read((run + run).split("\n")).notes().size());
    assertEquals(
        "its runs differ: maximum heap 128 MiB and 512 MiB; the first one's count for all",
        read((run + run.replace("128M", "512M")).split("\n")).notes().get(1));
  }

  @Test
  void pausesOfTwoJvmsThatWriteToOneOutputAllCount() throws IOException {
    GcLog log =
        read(
            "[2026-11-21T05:46:33.000Z][7.000s][info][gc,start] GC(7) Pause Young (Normal)",
            "[2026-11-21T05:46:33.001Z][99.001s][info][gc,start] GC(9) Pause Full (System.gc())",
            "[2026-11-21T05:46:33.003Z][99.003s][info][gc] GC(9) Pause Full (System.gc())"
                + " 24M->4M(99M) 2.000ms",
            "[2026-11-21T05:46:33.005Z][7.005s][info][gc] GC(7) Pause Young (Normal)"
                + " 24M->4M(99M) 5.000ms");

    assertEquals(2, log.pauses.size());
    assertEquals(PauseKind.FULL, LogRow.of(log).get(0).kind());
    assertEquals(PauseKind.YOUNG, LogRow.of(log).get(1).kind());
  }

  @Test
  void aLogWhoseNewestLinesStandFirstIsReadAsOneInOrder() throws IOException {
    List<String> lines = new ArrayList<>();
    for (int id = 0; id < 20; id++) {
      int second = 10 + id;
      lines.add(
          "[2026-11-21T05:46:%d.000Z][%d.000s][info][gc,start] GC(%d) Pause Young (Normal)"
              .formatted(second, second, id));
      lines.add(
          "[2026-11-21T05:46:%d.005Z][%d.005s][info][gc] GC(%d) Pause Young (Normal) 24M->4M(99M)"
                  .formatted(second, second, id)
              + " 5.000ms");
      lines.add(
          "[2026-11-21T05:46:%d.107Z][%d.107s][info][gc] GC(%d) Pause Full (System.gc())"
                  .formatted(second, second, id + 1)
              + " 24M->4M(99M) 1.000ms");
    }
    Collections.reverse(lines);
    GcLog log = read(lines.toArray(String[]::new));

    assertEquals(40, log.pauses.size());
    assertEquals(
        List.of("its newest lines come first; each line is read at its own time"), log.notes());
    assertEquals(1, log.extent().runs());
    assertEquals(
        Instant.parse("2026-11-21T05:46:29.000Z"),
        LogRow.of(log).get(1).start().wallClock().orElseThrow());
  }

  @Test
  void aClockThatGoesBackIsSaidWhereNoUptimeTells() throws IOException {
    GcLog log =
        read(
            "[2026-11-21T05:46:33.000Z][info][gc] GC(7) Pause Young (Normal) 24M->4M(99M) 5.000ms",
            "[2026-11-21T04:46:34.000Z][info][gc] GC(8) Pause Young (Normal) 24M->4M(99M) 5.000ms");

    assertEquals(
        List.of(
            "its times go back once, by up to 59 min 59 s, first at line 2: the clock was set, or"
                + " parts stand in the wrong order; the times count as they stand"),
        log.notes());
  }
}
