package io.gcdiag.read.load;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.read.bytes.Unpacked;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Reads samples and texts as a format does. */
final class LoadRuns {

  /**
   * What was read.
   *
   * @param run the result
   * @param lost what could not be read
   */
  record Read(LoadRun run, String lost) {

    /** Requests that began in each interval. */
    List<Long> requests() {
      return intervals().stream().map(RequestInterval::requests).toList();
    }

    List<RequestInterval> intervals() {
      return run.series().orElseThrow().intervals();
    }
  }

  private LoadRuns() {}

  static Read sample(LoadFormat format, String name) throws IOException {
    try (InputStream in = Unpacked.open(SampleFiles.file("load/" + name))) {
      return read(format, in, name);
    }
  }

  static Read read(LoadFormat format, String text) throws IOException {
    return read(format, new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "a");
  }

  static Read read(LoadFormat format, InputStream in, String name) throws IOException {
    LoadText text = LoadText.of(in);
    LoadRun run = format.read(text, name);
    return new Read(run, text.lost());
  }

  /** A percentile of single measurements is never too low, and at most one percent too high. */
  static void assertAbout(double millis, Optional<Duration> percentile) {
    double read = percentile.orElseThrow().toNanos() / 1e6;
    assertTrue(read >= millis && read <= millis * 1.0101, () -> millis + " was read as " + read);
  }
}
