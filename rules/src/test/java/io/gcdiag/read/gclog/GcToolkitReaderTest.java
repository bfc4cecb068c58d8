package io.gcdiag.read.gclog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.PauseKind;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.LineSource;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.gclog.GcLogFormat.GcLogReader;
import io.gcdiag.read.gclog.GcToolkitCheck.GcToolkitLines;
import io.gcdiag.read.gclog.GcToolkitCheck.GcToolkitReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class GcToolkitReaderTest {

  @ParameterizedTest
  @ValueSource(strings = {"parnew-jdk8-half-young.log", "parallel-jdk8.log"})
  void bothReadingsAgreeOnEveryPauseAndItsHeap(String file) throws IOException {
    Map<LogStamp, GcToolkitReader.Reading> readings = new HashMap<>();
    readings(file).forEach(r -> readings.put(r.start(), r));
    List<LogRow> pauses;
    try (InputStream in = Files.newInputStream(sample(file))) {
      pauses = LogRow.of(GcLogReader.read(in));
    }

    assertEquals(pauses.size(), readings.size());
    for (LogRow pause : pauses) {
      GcToolkitReader.Reading reading = readings.get(pause.start());
      assertEquals(pause.duration(), reading.duration(), () -> "line " + pause.line());
      // For the two pauses of CMS's marking GCToolkit gives the old generation as the heap.
      if (pause.kind() == PauseKind.YOUNG || pause.kind() == PauseKind.FULL) {
        assertEquals(pause.heap(), reading.heap(), () -> "line " + pause.line());
      }
    }
  }

  /** Left alone it finds no pause in the last two, and negative times in those of JDK 25. */
  @ParameterizedTest
  @CsvSource({
    "g1-jdk17.log.gz, 164, 498.2220",
    "g1-jdk25.log.gz, 164, 611.2750",
    "parallel-jdk17.log.gz, 173, 1444.0990",
    "serial-jdk17.log.gz, 275, 1870.5580",
    "g1-jdk17-gc-only.log, 676, 1663.1570",
    "g1-jdk25-gc-only.log, 404, 1440.9520",
  })
  void unifiedLogsAreCleanedSoThatItFindsEveryPause(String file, int count, BigDecimal totalMillis)
      throws IOException {
    List<GcToolkitReader.Reading> readings = readings(file);

    assertEquals(count, readings.size());
    Duration sum =
        readings.stream()
            .map(GcToolkitReader.Reading::duration)
            .reduce(Duration.ZERO, Duration::plus);
    Duration truth = Duration.ofNanos(totalMillis.movePointRight(6).longValueExact());
    assertTrue(sum.minus(truth).abs().compareTo(Duration.ofMillis(1)) < 0, sum::toString);
  }

  @Test
  void theLibraryPrintsNothingAndTheStandardOutputIsGivenBack() throws IOException {
    PrintStream before = System.out;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream ours = new PrintStream(printed, true, StandardCharsets.UTF_8);
    System.setOut(ours);
    try {
      readings("parnew-jdk8-verbose-gc.log");
      assertSame(ours, System.out);
    } finally {
      System.setOut(before);
    }
    assertEquals("", printed.toString(StandardCharsets.UTF_8));
  }

  @Test
  void ofALargeLogTheBeginningIsCompared(@TempDir Path folder) throws IOException {
    String line = "%d.500: [GC (Allocation Failure) 17472K->7665K(63360K), 0.0010000 secs]\n";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < 70_000; i++) {
      text.append(String.format(Locale.ROOT, line, 100_000 + i));
    }
    Path log = Files.writeString(folder.resolve("gc.log"), text);
    // 76 bytes a line: 4 MiB, which are 4,194,304 bytes, hold 55,188 whole lines.
    assertEquals(76L * 70_000, Files.size(log));

    SecondReading reading = crossChecked(log, true).stops().secondReadings().get(0);

    assertEquals("lines 1 to 55,188", reading.part());
    assertEquals(55_188, reading.own().count());
    assertEquals(Duration.ofMillis(55_188), reading.own().sum());
    assertEquals(Duration.ofMillis(1), reading.own().longest());
  }

  @Test
  void whatItLosesIsStatedNotUsed() throws IOException {
    SecondReading reading =
        crossChecked(sample("serial-jdk8.log"), true).stops().secondReadings().get(0);

    // It loses every full collection of Serial, which make the greater part of the time.
    assertEquals(179, reading.own().count());
    assertTrue(reading.other().count() < 179, () -> "read " + reading.other().count());
    assertEquals("", reading.part());
  }

  @Test
  void nobodyAskedMeansNoSecondReading() throws IOException {
    assertEquals(
        List.of(), crossChecked(sample("parallel-jdk8.log"), false).stops().secondReadings());
  }

  @Test
  void aLogOfWhichItMakesNothingIsStillCompared() throws IOException {
    GcToolkitLines lines = new GcToolkitLines();

    boolean whole =
        lines.take(
            new LineSource(
                new ByteArrayInputStream("no log at all\n".getBytes(StandardCharsets.UTF_8))));

    assertTrue(whole);
    assertFalse(GcToolkitReader.read(lines.lines, !lines.unified()).isEmpty());
    assertEquals(List.of(), GcToolkitReader.read(lines.lines, !lines.unified()).orElseThrow());
  }

  private static List<GcToolkitReader.Reading> readings(String file) throws IOException {
    GcToolkitLines lines = new GcToolkitLines();
    try (InputStream in = Files.newInputStream(sample(file))) {
      assertTrue(lines.take(new LineSource(in)));
    }
    return GcToolkitReader.read(lines.lines, !lines.unified()).orElseThrow();
  }

  private static Timeline crossChecked(Path log, boolean wanted) {
    return Ingest.read(
        List.of(new Ingest.Request(log, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD.crossChecking(wanted));
  }

  private static Path sample(String file) {
    return SampleFiles.file("gc-logs/" + file);
  }
}
