package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Window;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** A recording of several chunks, and what is read of it once it is damaged. */
abstract class DamageScene {

  /** No limit on speed: a reader that waits for more data would wait for ever. */
  static final Duration NO_HANG = Duration.ofMinutes(2);

  static final int HEADER = 68;

  @TempDir static Path folder;

  static Path whole;

  static byte[] all;

  static List<byte[]> chunks;

  @BeforeAll
  static void record() {
    whole = Recordings.ofParks(folder.resolve("whole.jfr"), 3);
    all = Recordings.bytes(whole);
    chunks = Recordings.chunks(whole);
    assertTrue(chunks.size() >= 3, "the test needs several chunks");
  }

  static Timeline read(String name, byte[]... parts) {
    Path file = Recordings.write(folder.resolve(name), parts);
    return assertTimeoutPreemptively(NO_HANG, () -> Recordings.read(file));
  }

  static InputReport report(Timeline timeline) {
    assertEquals(1, timeline.inputs().size());
    return timeline.inputs().get(0);
  }

  /** Parks by the stack of {@link Recordings#ofParks}, whatever thread the JVM parks besides. */
  static long parks(Timeline timeline) {
    Window always =
        new Window(Instant.parse("2000-01-01T00:00:00Z"), Instant.parse("2200-01-01T00:00:00Z"));
    return timeline.waits().stream()
        .filter(s -> s.site().stack().contains("Recordings"))
        .map(s -> s.within(always))
        .mapToLong(WaitSeries.Totals::count)
        .sum();
  }

  static byte[] concat(List<byte[]> parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    parts.forEach(out::writeBytes);
    return out.toByteArray();
  }

  static String count(long number) {
    // Thousands are set off with commas in notes.
    return String.format(java.util.Locale.ROOT, "%,d", number);
  }
}
