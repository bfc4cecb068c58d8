package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.gcdiag.Analysis;
import io.gcdiag.AnalysisRequest;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.IngestContext;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.read.bytes.Unpacked;
import io.gcdiag.read.frames.FrameBook;
import io.gcdiag.read.jfr.reader.Chunk;
import io.gcdiag.read.jfr.reader.ChunkScan;
import io.gcdiag.read.jfr.reader.RecordingReader.Reading;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Our reader of recordings against the JDK's: every event with its fields, and all that follows
 * from them.
 *
 * <p>Events are compared in the smallest recording of every second service and sample, the rest in
 * some recordings, or with {@code -Dgcdiag.recordings=all} in every one there is.
 */
@Tag("slow")
@Tag("reading")
class ReadersAgreeTest {

  private static final int DAMAGED_BYTES = 5;
  private static final List<String> NAMES = List.of("recording.jfr", "recording.jfr.gz");

  private static final List<String> SAMPLES =
      List.of(
          "recordings/jdk8.jfr.gz",
          "recordings/jdk21.jfr.gz",
          "recordings/jdk25-delays.jfr.gz",
          "recordings/jdk25-memory.jfr.gz",
          "recordings/jdk25-crash.jfr.gz",
          "recordings/async-profiler-4.2.jfr.gz",
          "recordings/async-profiler-4.2-wall.jfr.gz");

  @TempDir static Path folder;

  /** The samples, and those of all incidents. */
  static Stream<Path> recordings() {
    return Stream.concat(
            SAMPLES.stream().map(SampleFiles::file),
            Incidents.recorded().stream()
                .flatMap(incident -> NAMES.stream().map(incident.folder()::resolve)))
        .filter(Files::exists);
  }

  /** One of every second service, or all if all are asked for. */
  static Stream<Path> recordingsOfServices() {
    TreeMap<String, Path> chosen = new TreeMap<>();
    recordings().forEach(file -> chosen.merge(service(file), file, ReadersAgreeTest::smaller));
    List<Path> ofServices = List.copyOf(chosen.values());
    return isAll()
        ? recordings()
        : Stream.iterate(0, place -> place < ofServices.size(), place -> place + 2)
            .map(ofServices::get);
  }

  private static Path smaller(Path one, Path other) {
    return one.toFile().length() <= other.toFile().length() ? one : other;
  }

  private static String service(Path recording) {
    return recording.getParent().getFileName().toString().split("-")[0];
  }

  private static boolean isAll() {
    return "all".equals(System.getProperty("gcdiag.recordings"));
  }

  private static Path unpacked(Path packed) throws IOException {
    Path plain = folder.resolve(packed.getParent().getFileName() + "-" + packed.getFileName());
    if (!Files.exists(plain)) {
      try (InputStream in = Unpacked.open(packed)) {
        Files.copy(in, plain);
      }
    }
    return plain;
  }

  @ParameterizedTest
  @MethodSource("recordingsOfServices")
  void everyEventIsTheSame(Path packed) throws IOException {
    Path file = unpacked(packed);
    List<String> expected = EventTexts.of(file, Readers.api());
    List<String> read = EventTexts.of(file, Readers.own());
    assertFalse(expected.isEmpty());
    for (int i = 0; i < Math.min(expected.size(), read.size()); i++) {
      assertEquals(expected.get(i), read.get(i));
    }
    assertEquals(expected.size(), read.size());
  }

  /** As it has to be, once every event is. */
  @ParameterizedTest
  @MethodSource("someRecordings")
  void theDiagnosisIsTheSame(Path packed) throws IOException {
    Path file = unpacked(packed);
    assertEquals(diagnosis(file, JfrReader.API), diagnosis(file, JfrReader.OWN));
  }

  private static Diagnosis diagnosis(Path file, JfrReader reader) {
    return Analysis.run(AnalysisRequest.of(file).with(ReadOptions.STANDARD.with(reader)));
  }

  @ParameterizedTest
  @MethodSource("someRecordings")
  void severalThreadsFindWhatOneFinds(Path packed) throws IOException {
    Path file = unpacked(packed);
    assertEquals(diagnosis(file, 1), diagnosis(file, 2));
  }

  /** Three that differ in what was recorded, or all if all are asked for. */
  static Stream<Path> someRecordings() {
    return isAll() ? recordings() : recordings().limit(3);
  }

  @Test
  void severalThreadsFindWhatOneFindsInDamagedRecordings() throws IOException {
    byte[] whole = Recordings.bytes(Recordings.ofParks(folder.resolve("whole.jfr"), 3));
    for (int place = Chunk.HEADER_SIZE; place < whole.length; place += whole.length / 40) {
      byte[] damaged = whole.clone();
      Arrays.fill(damaged, place, Math.min(whole.length, place + DAMAGED_BYTES), (byte) 0x7f);
      Path file = Recordings.write(folder.resolve("damaged.jfr"), damaged);
      ChunkScan scan = ChunkScan.of(file);
      Reading<RecordingEvents> one = reading(file, scan, 1);
      Reading<RecordingEvents> two = reading(file, scan, 2);
      assertEquals(one.sound(), two.sound());
      assertEquals(one.wholeChunks(), two.wholeChunks());
      assertEquals(one.brokenChunks(), two.brokenChunks());
      assertEquals(one.bytes(), two.bytes());
      assertEquals(one.sink().lastTime(), two.sink().lastTime());
    }
  }

  private static Diagnosis diagnosis(Path file, int threads) throws IOException {
    IngestContext intake = new IngestContext(Redactor.hiding(), ReadOptions.STANDARD);
    reading(file, ChunkScan.of(file), threads).sink().finish(intake);
    return Diagnoser.diagnose(intake.timeline().build(), Optional.empty(), Optional.empty());
  }

  private static Reading<RecordingEvents> reading(Path file, ChunkScan scan, int threads)
      throws IOException {
    return Readers.own(threads)
        .read(
            file,
            scan,
            () -> new RecordingEvents("recording.jfr", Redactor.hiding(), FrameBook.standard()));
  }
}
