package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.SampleCounts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.JfrReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Samples by CPU time of JDK 25, of a thread that serves requests and one that does not. What is
 * expected is counted by {@code jfr print --events CPUTimeSample}: 80 samples, each of 20 ms, 66 of
 * them on {@code http-nio-8080-exec-7}; one was lost.
 */
class CpuTimeSamplesTest {

  private static final Window ALWAYS =
      new Window(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("2200-01-01T00:00:00Z"));

  @TempDir Path folder;

  /** The JDK's reader takes plain files only. */
  private Timeline read(String sample, JfrReader reader) throws IOException {
    Path file = folder.resolve(sample + ".jfr");
    try (InputStream in =
        new GZIPInputStream(
            Files.newInputStream(SampleFiles.file("recordings/" + sample + ".jfr.gz")))) {
      Files.copy(in, file);
    }
    return Recordings.read(file, reader);
  }

  @ParameterizedTest
  @EnumSource(JfrReader.class)
  void theyStandInForSamplesByTheClock(JfrReader reader) throws IOException {
    Timeline timeline = read("jdk25-cpu-time", reader);
    SampleCounts counts = timeline.profiles().cpu().within(ALWAYS);
    assertEquals(80, counts.java());
    assertEquals(66, counts.onRequestThreads());
    assertEquals(
        "jdk25-cpu-time.jfr jdk.CPUTimeSample",
        timeline.profiles().cpu().source().orElseThrow().toString());
    assertEquals(SignalState.Kind.SEEN, timeline.coverage().of(Signal.CPU_SAMPLES).kind());
  }

  @ParameterizedTest
  @EnumSource(JfrReader.class)
  void besideSamplesByTheClockTheyAreNotCounted(JfrReader reader) throws IOException {
    // Of 93 samples by CPU time and 124 by the clock.
    Timeline timeline = read("jdk25-two-samplers", reader);
    assertEquals(124, timeline.profiles().cpu().within(ALWAYS).java());
    assertEquals(
        "jdk25-two-samplers.jfr jdk.ExecutionSample",
        timeline.profiles().cpu().source().orElseThrow().toString());
  }
}
