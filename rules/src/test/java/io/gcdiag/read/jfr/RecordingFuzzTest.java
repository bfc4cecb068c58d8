package io.gcdiag.read.jfr;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.gcdiag.read.AnyBytes;
import io.gcdiag.read.bytes.JfrReader;
import io.gcdiag.read.bytes.ReadOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Coverage-guided fuzzing of the reader of recordings; docs/testing.md says how to fuzz, and {@link
 * AnyBytes} holds what must be true of every input.
 */
@Tag("slow")
class RecordingFuzzTest {

  @TempDir static Path folder;
  @TempDir static Path seeds;
  private static AnyBytes any;

  @BeforeAll
  static void workInAFolder() {
    any = new AnyBytes(folder);
  }

  static Stream<byte[]> recordings() throws IOException {
    Path file = Recordings.ofParks(seeds.resolve("parks.jfr"), 2);
    return Stream.concat(Stream.of(Recordings.bytes(file)), Recordings.chunks(file).stream());
  }

  @MethodSource("recordings")
  @FuzzTest(maxDuration = "10m")
  void recording(byte[] bytes) {
    any.asFormat(new RecordingFormat(), bytes);
  }

  /** The same while it is unpacked. */
  @MethodSource("recordings")
  @FuzzTest(maxDuration = "10m")
  void packedRecording(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    any.asFormat(new RecordingFormat(), packed.toByteArray());
  }

  /** The JDK's reader, which refuses what is damaged. */
  @MethodSource("recordings")
  @FuzzTest(maxDuration = "10m")
  void recordingByTheApi(byte[] bytes) {
    any.asFormat(new RecordingFormat(), bytes, ReadOptions.STANDARD.with(JfrReader.API));
  }
}
