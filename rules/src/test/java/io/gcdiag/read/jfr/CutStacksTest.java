package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.read.bytes.JfrReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@TestInstance(Lifecycle.PER_CLASS)
class CutStacksTest {

  private static final int PARKS = 60;

  private Path deep;
  private Path shallow;

  @BeforeAll
  void record(@TempDir Path folder) {
    // A JVM records 64 frames of a stack unless it is configured otherwise.
    deep = parks(folder.resolve("deep.jfr"), 100);
    shallow = parks(folder.resolve("shallow.jfr"), 0);
  }

  private static Path parks(Path file, int calls) {
    return Recordings.record(
        file,
        recording -> recording.enable("jdk.ThreadPark").withThreshold(Duration.ofMillis(1)),
        () -> onThreadOfItsOwn(() -> IntStream.range(0, PARKS).forEach(i -> park(calls))));
  }

  /** The stack of a test is deep already. */
  private static void onThreadOfItsOwn(Runnable work) {
    Thread thread = new Thread(work);
    thread.start();
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void park(int calls) {
    if (calls == 0) {
      LockSupport.parkNanos(Duration.ofMillis(2).toNanos());
    } else {
      park(calls - 1);
    }
  }

  @ParameterizedTest
  @EnumSource
  void stacksDeeperThanRecordedAreStated(JfrReader reader) {
    List<String> notes = notes(deep, reader);
    assertEquals(1, notes.size());
    assertTrue(notes.get(0).contains("deeper than the 64 frames recorded"), notes.get(0));
    assertEquals(List.of(), notes(shallow, reader));
  }

  private static List<String> notes(Path file, JfrReader reader) {
    return Recordings.read(file, reader).coverage().notes().stream()
        .filter(note -> note.contains("stackdepth"))
        .toList();
  }
}
