package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** One file under several names, several files of one name, and files that overlap. */
class NamedTwiceTest extends IngestScene {

  @Test
  void aFileNamedTwiceIsReadOnce() throws IOException {
    Path file = log("gc.log");
    Path again = folder.resolve(".").resolve("gc.log");
    Timeline timeline = read(file, again, folder);
    assertEquals(List.of("gc.log"), names(timeline));
    assertEquals(3, timeline.pauses().size());
  }

  @Test
  void aLinkToAFileIsThatFile() throws IOException {
    Path file = log("gc.log");
    Path link = Files.createSymbolicLink(folder.resolve("link.log"), file);
    assertEquals(List.of("link.log"), names(read(link)));
    assertEquals(List.of("gc.log"), names(read(file, link)));
  }

  @Test
  void aLinkToAFolderIsThatFolder() throws IOException {
    log(folder.resolve("run"), "gc.log");
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("run"));
    assertEquals(List.of("gc.log"), names(read(link)));
  }

  @Test
  void aCopyIsNamedAndCountsOnce() throws IOException {
    Timeline timeline = read(log("gc.log"), log("gc-copy.log"));
    assertEquals(
        new InputReport("gc-copy.log", "gc-log", Status.OK, "the same as gc.log; read once"),
        timeline.inputs().get(1));
    assertEquals(3, timeline.pauses().size());
    assertEquals(1, timeline.stops().pausesByFile().size());
  }

  @Test
  void filesOfOneNameFromTwoFoldersAreToldApart() throws IOException {
    Path first = log(folder.resolve("before"), "gc.log");
    Path second =
        Files.writeString(
            Files.createDirectories(folder.resolve("after")).resolve("gc.log"),
            LOG.replace("T10:", "T11:"));
    Timeline timeline = read(first, second);
    assertEquals(List.of("gc.log", "after/gc.log"), names(timeline));
    assertEquals(
        List.of("after/gc.log", "gc.log"), List.copyOf(timeline.stops().pausesByFile().keySet()));
    assertEquals(6, timeline.pauses().size());
  }

  @Test
  void twoLogsThatOverlapGiveEachPauseOnce() throws IOException {
    // A rotated log and a stretch cut out of it: the last two pauses are in both.
    String part = LOG.substring(LOG.indexOf('\n') + 1);
    Path cut = Files.writeString(folder.resolve("cut.log"), part);
    Timeline timeline = read(log("gc.log"), cut);
    assertEquals(3, timeline.pauses().size());
    assertEquals(2, timeline.stops().pausesByFile().get("cut.log").size());
  }

  @Test
  void whatElseTwoLogsThatOverlapTellCountsOnce() throws IOException {
    String told =
        """
        [2026-11-21T10:00:0%1$d.002Z][info][gc] GC(%1$d) Pause Young (Normal) 24M->4M(99M) 2.000ms
        [2026-11-21T10:00:0%1$d.002Z][info][gc,cpu] GC(%1$d) User=0.02s Sys=0.00s Real=0.01s
        [2026-11-21T10:00:0%1$d.002Z][info][safepoint] Safepoint "Cleanup", Time since last: 9 ns, \
        Reaching safepoint: 5 ns, At safepoint: 2000100 ns, Total: 2000105 ns
        [2026-11-21T10:00:0%1$d.502Z][info][gc] Allocation Stall (http-nio-8080-exec-7) 4.502ms
        """;
    String log = told.formatted(1) + told.formatted(2) + told.formatted(3) + told.formatted(4);
    String third = log.substring(log.indexOf("[2026-11-21T10:00:03"));
    String later = third + told.formatted(5);
    Path one = Files.writeString(folder.resolve("gc.log.0"), log);
    Path two = Files.writeString(folder.resolve("gc.log.1"), later);
    Timeline timeline = read(one, two);

    assertEquals(5, timeline.pauses().size());
    assertEquals(5, timeline.safepoints().size());
    assertEquals(5, timeline.gcCpu(timeline.span()).size());
    assertEquals(
        5,
        timeline.waits().stream().mapToLong(waits -> waits.within(timeline.span()).count()).sum());
  }
}
