package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.JfrReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Recordings of async-profiler 4.2: four request threads that share a monitor and sleep. What is
 * expected was counted with {@code jfr print}: 367 blocked entries of 9.77 s in all; 487 wall-clock
 * samples, one every 20 ms, below {@code ObjectMonitor::enter}, and 490 in the recording without
 * lock events; 271 and 274 in {@code Thread.sleep}.
 */
@Tag("slow")
class ProfilerRecordingsTest {

  private static final String ALL = "recordings/async-profiler-4.2.jfr.gz";
  private static final String WALL = "recordings/async-profiler-4.2-wall.jfr.gz";

  private static final double TICK = 1e-3;

  @TempDir Path folder;

  private Timeline read(String sample, JfrReader reader) throws IOException {
    return Recordings.read(plain(sample), reader);
  }

  private Path plain(String sample) throws IOException {
    Path file = folder.resolve("plain.jfr");
    try (InputStream in = new GZIPInputStream(Files.newInputStream(SampleFiles.file(sample)))) {
      Files.copy(in, file);
    }
    return file;
  }

  private static double waited(Timeline timeline, WaitKind kind) {
    // The first wait began before the first event ended, which is where the span begins.
    Window all =
        new Window(timeline.span().from().minusSeconds(1), timeline.span().to().plusSeconds(1));
    return timeline.waits(kind).stream()
        .filter(series -> series.site().onRequestThread())
        .mapToDouble(series -> series.within(all).total().toNanos() / 1e9)
        .sum();
  }

  @ParameterizedTest
  @EnumSource
  void timedWaitsGoBeforeSampledOnes(JfrReader reader) throws IOException {
    Timeline timeline = read(ALL, reader);
    List<WaitSeries> locks = timeline.waits(WaitKind.LOCK);
    assertEquals(List.of("java.lang.Object"), locks.stream().map(s -> s.site().name()).toList());
    assertEquals(367, locks.get(0).count());
    assertEquals(9.7706, waited(timeline, WaitKind.LOCK), TICK);
    assertEquals(271 * 0.020, waited(timeline, WaitKind.SLEEP), TICK);
  }

  @ParameterizedTest
  @EnumSource
  void waitsAreSummedUpFromSamples(JfrReader reader) throws IOException {
    Timeline timeline = read(WALL, reader);
    assertEquals(490 * 0.020, waited(timeline, WaitKind.LOCK), TICK);
    assertEquals(274 * 0.020, waited(timeline, WaitKind.SLEEP), TICK);
    assertTrue(
        timeline.coverage().notes().stream().anyMatch(note -> note.contains("sampled every 20 ms")),
        () -> "" + timeline.coverage().notes());
  }

  @Test
  void threadsThatWaitUseNoCpu() throws IOException {
    // 17 samples of the timer; the wall-clock samples say nothing of CPU time.
    Timeline timeline = read(ALL, JfrReader.OWN);
    long samples = timeline.profiles().cpu().within(timeline.span()).java();
    assertTrue(samples > 0 && samples <= 17, () -> samples + " samples");
    assertEquals("17.0.15", timeline.jvm().version().orElseThrow());
  }

  @Test
  void allocationIsTakenFromBuffers() throws IOException {
    Timeline timeline = read(ALL, JfrReader.OWN);
    assertTrue(timeline.profiles().allocation().sites().count() > 0);
    assertEquals("byte[]", timeline.profiles().allocation().sites().all().get(0).className());
    assertEquals(SignalState.Kind.SEEN, timeline.coverage().of(Signal.ALLOCATION_SAMPLES).kind());
  }

  @ParameterizedTest
  @ValueSource(strings = {ALL, WALL})
  void bothReadersGiveTheSameEvents(String sample) throws IOException {
    Path file = plain(sample);
    List<String> expected = EventTexts.of(file, Readers.api());
    assertFalse(expected.isEmpty());
    assertEquals(expected, EventTexts.of(file, Readers.own()));
  }
}
