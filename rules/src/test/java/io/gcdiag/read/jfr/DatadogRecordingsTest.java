package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A recording of Datadog's profiler 1.22: four request threads that share a monitor, which each
 * holds for 10 ms, and sleep for 5 ms. What is expected was counted with a script that decodes the
 * file by its own metadata: of the request threads 251 wall-clock samples wait for the monitor
 * ({@code CONTENDED}), 93 sleep ({@code PARKED}), one every 20 ms, and 127 samples execute, one
 * every 10 ms of CPU time. The JDK's own reader refuses the file for a table without entries.
 */
class DatadogRecordingsTest {

  private static final String SAMPLE = "recordings/datadog-profiler-1.22.jfr.gz";
  private static final double TICK = 1e-3;

  @TempDir Path folder;

  private static Timeline read(Path file) {
    return Ingest.read(
        List.of(new Ingest.Request(file, Optional.empty(), Optional.empty())),
        OperatorFacts.none(),
        Redactor.off(),
        ReadOptions.STANDARD);
  }

  private static double waited(Timeline timeline, WaitKind kind) {
    Window all =
        new Window(timeline.span().from().minusSeconds(1), timeline.span().to().plusSeconds(1));
    return timeline.waits(kind).stream()
        .filter(series -> series.site().onRequestThread())
        .mapToDouble(series -> series.within(all).total().toNanos() / 1e9)
        .sum();
  }

  @Test
  void waitsAreSummedUpFromSamplesOfTheWallClock() {
    Timeline timeline = read(SampleFiles.file(SAMPLE));
    assertEquals(251 * 0.020, waited(timeline, WaitKind.LOCK), TICK);
    assertEquals(93 * 0.020, waited(timeline, WaitKind.SLEEP), TICK);
    WaitSeries lock = timeline.waits(WaitKind.LOCK).get(0);
    assertEquals("datadog-profiler-1.22.jfr.gz datadog.MethodSample", lock.source().toString());
  }

  @Test
  void aProfilerThatLooksAtSomeThreadsOnlySaysSo() {
    List<String> notes = read(SampleFiles.file(SAMPLE)).coverage().notes();
    assertTrue(
        notes.stream().anyMatch(note -> note.contains("it samples 16 of ")), () -> "" + notes);
  }

  @Test
  void samplesOfCpuTimeTellWhatExecutes() {
    Timeline timeline = read(SampleFiles.file(SAMPLE));
    Window all =
        new Window(timeline.span().from().minusSeconds(1), timeline.span().to().plusSeconds(1));
    assertEquals(127, timeline.profiles().cpu().within(all).java());
    assertEquals(
        "datadog-profiler-1.22.jfr.gz datadog.ExecutionSample",
        timeline.profiles().cpu().source().orElseThrow().toString());
    assertEquals(SignalState.Kind.SEEN, timeline.coverage().of(Signal.CPU_SAMPLES).kind());
  }

  @Test
  void anAllocatedObjectStandsForThoseBetweenTwoSamples() {
    // An array of 20,000 bytes in each of the 4 threads' rounds, in which one thread at a time
    // takes 10 ms for 4 s: some 400 of them, 8 MB.
    Timeline timeline = read(SampleFiles.file(SAMPLE));
    long bytes =
        timeline.profiles().allocation().sites().all().stream()
            .filter(site -> site.className().equals("byte[]"))
            .mapToLong(site -> site.bytes().value())
            .sum();
    assertTrue(bytes > 4_000_000 && bytes < 16_000_000, () -> bytes + " bytes");
  }

  @Test
  void samplesBehindTheJvmsOwnChunksDoNotCountTimedWaitsTwice() throws IOException {
    // The agent hands in the JVM's chunks and the profiler's as one file.
    Path both = folder.resolve("both.jfr");
    try (OutputStream out = Files.newOutputStream(both)) {
      for (String sample : List.of("recordings/jdk21.jfr.gz", SAMPLE)) {
        try (InputStream in = new GZIPInputStream(Files.newInputStream(SampleFiles.file(sample)))) {
          in.transferTo(out);
        }
      }
    }
    Timeline timeline = read(both);
    Timeline jvm = read(SampleFiles.file("recordings/jdk21.jfr.gz"));
    assertEquals(waited(jvm, WaitKind.LOCK), waited(timeline, WaitKind.LOCK), TICK);
    assertFalse(
        timeline.coverage().of(Signal.THREAD_PARKS).note().contains("sampled every"),
        "parks are recorded, not sampled");
  }
}
