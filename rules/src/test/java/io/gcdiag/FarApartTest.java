package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.loadtests.Correlator.CorrelationRequest;
import io.gcdiag.loadtests.Percentile;
import io.gcdiag.verdict.Diagnosis;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Inputs with months or years in them in which nothing was recorded: their answer comes as soon as
 * that to what was recorded, since nothing is kept or gone through for the time between. The limits
 * of time are a hundred times what it takes, and would not do for a single loop over a year.
 */
@Tag("slow")
@Timeout(120)
class FarApartTest {

  private static final Duration MONTHS = Duration.ofDays(76);
  private static final Duration YEARS = Duration.ofDays(730);
  private static final WindowRequest FIRST_MINUTE = WindowRequest.parse("0..1m");

  /** Where the head of a chunk has its size and the time of its start. */
  private static final int SIZE_AT = 8;

  private static final int START_NANOS_AT = 32;

  private static byte[] recording;

  @TempDir Path folder;

  /** A recording of 46 s in which 100 threads wait for one lock. */
  @BeforeAll
  static void read() throws IOException {
    Path packed = Incidents.folder("desk-one-journal").resolve("recording.jfr.gz");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(packed))) {
      recording = in.readAllBytes();
    }
  }

  private static byte[] later(Duration by) {
    ByteBuffer chunks = ByteBuffer.wrap(recording.clone());
    for (int at = 0; at < chunks.capacity(); at += (int) chunks.getLong(at + SIZE_AT)) {
      long start = chunks.getLong(at + START_NANOS_AT);
      chunks.putLong(at + START_NANOS_AT, start + by.toNanos());
    }
    return chunks.array();
  }

  private Path file(String name, byte[]... parts) throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      all.write(part);
    }
    return Files.write(folder.resolve(name), all.toByteArray());
  }

  private Path log() throws IOException {
    return Files.writeString(
        folder.resolve("gc.log"),
        """
        [2025-03-01T10:00:00.003+0000][0.003s][info][gc] Using G1
        [2025-03-01T10:00:20.144+0000][20.144s][info][gc] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 6M->3M(66M) 1.812ms
        [2025-03-01T10:00:40.144+0000][40.144s][info][gc] GC(1) Pause Young (Normal) (G1 Evacuation Pause) 16M->5M(66M) 81.812ms
        [2026-03-01T10:00:20.144+0000][31536020.144s][info][gc] GC(2) Pause Young (Normal) (G1 Evacuation Pause) 16M->5M(66M) 2.1ms
        [2026-03-01T10:00:40.144+0000][31536040.144s][info][gc] GC(3) Pause Young (Normal) (G1 Evacuation Pause) 16M->5M(66M) 2.2ms
        """);
  }

  private static Diagnosis firstMinute(Path... files) {
    return Analysis.run(
        AnalysisRequest.of(files).within(Optional.of(FIRST_MINUTE), Optional.empty()));
  }

  @Test
  void twoRecordingsMonthsApartAreJudgedByWhatTheyHold() throws IOException {
    Diagnosis both =
        Analysis.run(
            AnalysisRequest.of(file("first.jfr", recording), file("second.jfr", later(MONTHS))));
    assertEquals(Optional.of(Hypothesis.LOCK_CONTENTION), both.primarySuspect());
  }

  @Test
  void joinedInOneFileTheyAreTheSame() throws IOException {
    Diagnosis joined = Analysis.run(AnalysisRequest.of(file("both.jfr", recording, later(MONTHS))));
    assertEquals(Optional.of(Hypothesis.LOCK_CONTENTION), joined.primarySuspect());
  }

  @Test
  void aNamedMinuteOfChunksYearsApartIsThatMinute() throws IOException {
    Diagnosis minute = firstMinute(file("years.jfr", recording, later(YEARS)));
    assertEquals(Optional.of(Hypothesis.LOCK_CONTENTION), minute.primarySuspect());
    assertEquals(Duration.ofMinutes(1), minute.windows().incident().length());
  }

  @Test
  void aNamedMinuteOfALogWithAYearsRestIsThatMinute() throws IOException {
    Window minute = firstMinute(log()).windows().incident();
    assertEquals(Instant.parse("2025-03-01T10:01:00Z"), minute.to().plusMillis(-3));
  }

  @Test
  void runsOfAMinuteAndOfYearsAreCompared() throws IOException {
    AnalysisRequest years = AnalysisRequest.of(file("years.jfr", recording, later(YEARS)));
    AnalysisRequest minute = AnalysisRequest.of(file("minute.jfr", recording));
    assertTrue(Analysis.compare(years, minute).figures().size() > 1);
    assertTrue(Analysis.compare(AnalysisRequest.of(log()), minute).figures().size() > 1);
  }

  @Test
  void seriesOfYearsAreCorrelated() throws IOException {
    AnalysisRequest years = AnalysisRequest.of(file("years.jfr", recording, later(YEARS)), log());
    assertEquals(
        List.of(),
        Analysis.correlate(years, new CorrelationRequest(new Percentile(99), Optional.empty()))
            .leads());
  }
}
