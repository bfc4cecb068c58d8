package io.gcdiag.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a JVM that runs: it writes to them, and a log rotation cuts them, meanwhile. */
class ChangingFilesTest {

  private static final int LINES = 4_000;

  @TempDir Path folder;

  private static String pause(int number) {
    return "[2026-03-01T10:%02d:%02d.000+0000][%d.000s][info][gc] GC(%d) Pause Young (Normal) (G1 Evacuation Pause) 24M->4M(256M) 2.000ms%n"
        .formatted(number / 60 % 60, number % 60, number + 1, number);
  }

  private static String pauses(int from, int to) {
    StringBuilder log = new StringBuilder();
    for (int i = from; i < to; i++) {
      log.append(pause(i));
    }
    return log.toString();
  }

  /** Reads a file, and changes it once the first of its pieces has been read as a log. */
  private static Timeline read(Path file, Runnable change) {
    Progress changing =
        new Progress() {
          private long last = Long.MAX_VALUE;
          private int passes;

          @Override
          public void at(String name, long read, long size) {
            // The search for other formats is one pass over the file, reading it is the next.
            passes += read < last ? 1 : 0;
            last = read;
            if (passes == 2) {
              passes++;
              change.run();
            }
          }

          @Override
          public void ended() {
            // Nothing is shown.
          }
        };
    return Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD.telling(changing));
  }

  private static void append(Path file, String text) {
    try {
      Files.writeString(file, text, StandardOpenOption.APPEND);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void cut(Path file, long size) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.truncate(size);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InputReport report(Timeline timeline) {
    return timeline.inputs().get(0);
  }

  @Test
  void whatIsWrittenToALogWhileItIsReadCounts() throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(log, pauses(0, 3_000));

    Timeline timeline = read(log, () -> append(log, pauses(3_000, 3_500)));

    assertEquals(3_500, timeline.pauses().size());
    assertEquals(Status.OK, report(timeline).status());
  }

  @Test
  void aLineThatIsHalfWrittenIsNoPause() throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(log, pauses(0, 3_000));
    String half = pause(3_000).substring(0, pause(3_000).indexOf(".000ms") + 2);

    Timeline timeline = read(log, () -> append(log, half));

    assertEquals(3_000, timeline.pauses().size());
    assertEquals(Status.OK, report(timeline).status());
  }

  @Test
  void aLogThatIsCutWhileItIsReadSaysSo() throws IOException {
    Path log = folder.resolve("gc.log");
    Files.writeString(log, pauses(0, LINES));

    Timeline timeline = read(log, () -> cut(log, 0));

    assertEquals(Status.PARTIAL, report(timeline).status());
    assertEquals(
        "the file became shorter while it was read; what was read before that counts",
        report(timeline).note());
    assertTrue(timeline.pauses().size() < LINES, timeline.pauses().size() + " pauses");
  }

  @Test
  void aDumpThatIsStillBeingWrittenSaysThatItEndsInAThread() throws IOException {
    Path dump = folder.resolve("threads.txt");
    StringBuilder text =
        new StringBuilder("Full thread dump OpenJDK 64-Bit Server VM (17 mixed mode):\n\n");
    for (int i = 0; i < LINES; i++) {
      text.append(
          "\"worker-%d\" #%d prio=5 os_prio=0 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat com.acme.Main.main(Main.java:1)\n\n"
              .formatted(i, i + 1));
    }
    Files.writeString(dump, text.toString());
    String more =
        "\"last\" #9 prio=5 os_prio=0 tid=0x1 nid=0x2 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat com.acme.Main.main(Main.java:1)\n\tat com.ac";

    Timeline timeline = read(dump, () -> append(dump, more));

    assertEquals(LINES + 1, timeline.dumps().get(0).threads().size());
    assertEquals(Status.PARTIAL, report(timeline).status());
    assertEquals(
        "its last dump has no end: threads, or a part of the last one, may be missing",
        report(timeline).note());
  }
}
