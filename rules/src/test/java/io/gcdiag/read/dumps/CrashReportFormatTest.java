package io.gcdiag.read.dumps;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
    LoggedError error = sample("jdk8-no-native-memory.log.gz");
    assertEquals(Kind.MEMORY_REFUSED, error.kind());
    assertEquals("mmap of 8192 bytes", error.subject());
    assertEquals("Grow.main", error.place());
    assertEquals(Instant.parse("2026-11-30T00:53:01Z"), error.at());
    assertEquals("mmap of 176128 bytes", sample("jdk17-no-native-memory.log.gz").subject());
  }

  /** JDK 8 states its time below the machine's memory, and the zone in a line of its own. */
  @ParameterizedTest
  @CsvSource({"jdk8, 2026-11-30T00:53:01Z", "jdk17, 2026-11-30T00:57:33Z"})
  void theMachinesMemoryHasTheTimeOfTheCrash(String jdk, Instant at) {
    Timeline timeline = read(SampleFiles.file("crash-reports/" + jdk + "-no-native-memory.log.gz"));
    MetricSeries total =
        timeline.metrics().stream()
            .filter(one -> one.meaning() == MetricMeaning.MEMORY_TOTAL)
            .findFirst()
            .orElseThrow();
    // MemTotal: 24684092 kB
    assertEquals(24_684_092L * 1024, total.points().get(0).value());
    assertEquals(at, total.points().get(0).at());
    assertEquals(List.of(), timeline.coverage().notes());
  }

  @Test
  void aReportOfAnOlderJdk8StatesNoZone() throws IOException {
    Path report =
        Files.writeString(
            folder.resolve("hs_err_pid1.log"),
            """
            # A fatal error has been detected by the Java Runtime Environment:
            #  SIGSEGV (0xb) at pc=0x00007f0c5d2a00ba, pid=1, tid=2
            # JRE version: OpenJDK Runtime Environment (8.0_91-b14)
            time: Tue Aug 23 11:20:46 2016
            elapsed time: 25 seconds (0d 0h 0m 25s)
            """);
    assertEquals(
        List.of(Instant.parse("2016-08-23T11:20:46Z")),
        read(report).samples(LoggedError.class).stream().map(LoggedError::at).toList());
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
    Timeline timeline = read(SampleFiles.file("crash-reports/jdk8-no-native-memory.log.gz"));
    assertEquals(Optional.of("1.8.0_504"), timeline.jvm().version());
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
