package io.gcdiag.ingest.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.gcdiag.evidence.PauseKind;
import io.gcdiag.fixtures.Samples;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GcToolkitReaderTest {

  @ParameterizedTest
  @ValueSource(strings = {"parnew-jdk8-half-young.log", "parallel-jdk8.log"})
  void bothReadingsAgreeOnEveryPauseAndItsHeap(String file) throws IOException {
    byte[] text = Files.readAllBytes(Samples.file("gc-logs/" + file));
    GcToolkitLines lines = new GcToolkitLines();
    new String(text, StandardCharsets.UTF_8).lines().forEach(lines::add);
    Map<LogStamp, GcToolkitReader.Reading> readings = new HashMap<>();
    GcToolkitReader.read(lines.lines()).forEach(r -> readings.put(r.start(), r));

    List<LoggedPause> pauses = GcLogReader.read(new ByteArrayInputStream(text)).pauses();

    assertEquals(pauses.size(), readings.size());
    for (LoggedPause pause : pauses) {
      GcToolkitReader.Reading reading = readings.get(pause.start());
      assertEquals(pause.duration(), reading.duration(), () -> "line " + pause.line());
      // For the two pauses of CMS's marking GCToolkit gives the old generation as the heap.
      if (pause.kind() == PauseKind.YOUNG || pause.kind() == PauseKind.FULL) {
        assertEquals(pause.heap().whole(), reading.heap(), () -> "line " + pause.line());
        assertEquals(pause.heap().young(), reading.young(), () -> "line " + pause.line());
      }
    }
  }

  @Test
  void theLibraryPrintsNothingAndTheStandardOutputIsGivenBack() throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream ours = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(ours);
    try {
      GcLogReader.read(Files.newInputStream(Samples.file("gc-logs/parnew-jdk8-verbose-gc.log")));
      assertSame(ours, System.out);
    } finally {
      System.setOut(before);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void aLogThatIsTooLargeForTheComparisonIsReadWithoutIt() throws IOException {
    String line = "%d.500: [GC (Allocation Failure) 17472K->7665K(63360K), 0.0010000 secs]%n";
    StringBuilder text = new StringBuilder();
    // Some 75 characters each: 70,000 lines are more than 4 MiB.
    for (int i = 0; i < 70_000; i++) {
      text.append(String.format(Locale.ROOT, line, i));
    }

    GcLog log =
        GcLogReader.read(
            new ByteArrayInputStream(text.toString().getBytes(StandardCharsets.UTF_8)));

    assertEquals(70_000, log.pauses().size());
    assertEquals(List.of("the log is too large for the comparison with gctoolkit"), log.notes());
  }
}
