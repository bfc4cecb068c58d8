package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.read.jfr.reader.ChunkBytes;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Zeros inside one event, as a file system leaves them, that cost neither its size nor the next.
 */
@Tag("slow")
class HoleInAnEventTest {

  private static final int PAGE = 4096;
  private static final int HEADER = 68;
  private static final long METADATA = 0;
  private static final long CONSTANTS = 1;

  @TempDir static Path folder;
  private static byte[] sound;

  /** A dump of threads with names that are long enough. */
  @BeforeAll
  static void record() {
    Thread waiting = new Thread(HoleInAnEventTest::pause, "t".repeat(8 * PAGE));
    waiting.setDaemon(true);
    waiting.start();
    Path file =
        Recordings.record(
            folder.resolve("sound.jfr"),
            recording -> {
              recording.enable("jdk.ThreadDump").with("period", "everyChunk");
              recording.enable("jdk.ThreadPark").withoutThreshold();
            },
            () -> {});
    waiting.interrupt();
    sound = Recordings.bytes(file);
  }

  private static void pause() {
    try {
      Thread.sleep(Long.MAX_VALUE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static InputReport withHoleIn(LongPredicate type) {
    byte[] damaged = sound.clone();
    int at = HEADER;
    while (at < damaged.length) {
      ChunkBytes event = new ChunkBytes(damaged, true);
      event.at(at);
      int size = event.readInt();
      if (type.test(event.readLong()) && size > 2 * PAGE) {
        Arrays.fill(damaged, at + PAGE, at + 2 * PAGE, (byte) 0);
        break;
      }
      at += size;
    }
    assertTrue(at < damaged.length, "no event is large enough");
    Timeline timeline = Recordings.read(Recordings.write(folder.resolve("damaged.jfr"), damaged));
    return timeline.inputs().get(0);
  }

  @Test
  void theSoundRecordingIsWhole() {
    Timeline timeline = Recordings.read(folder.resolve("sound.jfr"));
    assertEquals(InputReport.Status.OK, timeline.inputs().get(0).status());
  }

  @Test
  void aHoleInADumpIsDamage() {
    InputReport report = withHoleIn(type -> type != METADATA && type != CONSTANTS);
    assertEquals(InputReport.Status.PARTIAL, report.status());
    assertTrue(report.note().startsWith("damaged"), report.note());
  }

  @Test
  void soIsOneInConstants() {
    InputReport report = withHoleIn(type -> type == CONSTANTS);
    assertEquals(InputReport.Status.PARTIAL, report.status());
  }
}
