package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CrashReportFormatTest {

  @TempDir Path folder;

  private static Timeline read(Path path) {
    return Ingest.read(
        List.of(new Ingest.Request(path, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  private static LoggedError sample(String name) {
    Timeline timeline = read(SampleFiles.file("crash-reports/" + name));
    List<LoggedError> errors = timeline.samples(LoggedError.class);
    assertEquals(1, errors.size());
    return errors.get(0);
  }

  @Test
  void memoryThatTheSystemRefusedIsRead() {
    LoggedError error = sample("jdk8-no-native-memory.log");
    assertEquals(Kind.MEMORY_REFUSED, error.kind());
    assertEquals("mmap of 103428096 bytes", error.subject());
    // It states no zone.
    assertEquals(Instant.parse("2016-08-23T11:20:46Z"), error.at());
  }

  @Test
  void aHeapThatIsFullIsNoCrash() {
    LoggedError error = sample("jdk17-heap-full.log");
    assertEquals(Kind.HEAP_FULL, error.kind());
    assertEquals("Java heap space", error.subject());
    assertEquals("Grow.grow", error.place());
    assertEquals(Instant.parse("2026-11-23T14:52:48Z"), error.at());
  }

  @Test
  void aSignalIsNamedWithItsFrame() {
    LoggedError error = sample("jdk17-signal.log");
    assertEquals(Kind.CRASHED, error.kind());
    assertEquals("SIGSEGV in C  [libc.so.6+0x85f14]", error.subject());
  }

  @Test
  void flagsAndVersionAreReadBesideIt() {
    Timeline timeline = read(SampleFiles.file("crash-reports/jdk8-no-native-memory.log"));
    assertEquals(Optional.of("1.8.0_91"), timeline.jvm().version());
  }

  @Test
  void aReportThatIsCutBeforeItsTimeIsLeftOutWithANote() throws IOException {
    String whole = Files.readString(SampleFiles.file("crash-reports/jdk17-signal.log"));
    Path cut =
        Files.writeString(
            folder.resolve("cut.log"), whole.substring(0, whole.indexOf("Time: Mon")));
    Timeline timeline = read(cut);
    assertEquals(List.of(), timeline.samples(LoggedError.class));
    assertTrue(
        timeline.coverage().notes().stream()
            .anyMatch(note -> note.contains("cut before its line 'time:'")));
  }
}
