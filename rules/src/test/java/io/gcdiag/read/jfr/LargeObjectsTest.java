package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.AllocationSite;
import io.gcdiag.evidence.jvm.AllocationSite.Path;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.SignalState;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Objects that are too large for a thread's buffer, as the JVM records them. */
class LargeObjectsTest {

  private static final String OUTSIDE_TLAB = "jdk.ObjectAllocationOutsideTLAB";

  private static final int BUFFERS = 20;

  /** More than half of a region of 1 MiB, so that it fits no buffer. */
  private static final int LENGTH = 3 << 20;

  private static volatile byte[] sink;

  @TempDir java.nio.file.Path folder;

  private static void allocate() {
    for (int i = 0; i < BUFFERS; i++) {
      sink = new byte[LENGTH];
    }
  }

  @Test
  void sizeAllocatorAndWhoseCodeItIsAreRead() {
    java.nio.file.Path file =
        Recordings.record(
            folder.resolve("r.jfr"),
            recording -> recording.enable(OUTSIDE_TLAB).withStackTrace(),
            LargeObjectsTest::allocate);
    Timeline timeline = Recordings.read(file);
    assertEquals(SignalState.Kind.SEEN, timeline.coverage().of(Signal.OUTSIDE_TLAB).kind());
    AllocationSite buffers =
        timeline.profiles().allocation().sites().of(Path.OUTSIDE_TLAB).all().stream()
            .filter(site -> site.top().equals(LargeObjectsTest.class.getName() + ".allocate"))
            .findFirst()
            .orElseThrow();
    assertEquals("byte[]", buffers.className());
    assertEquals(Optional.of(Bytes.of(sizes(file).get(0))), buffers.typicalSize());
    assertEquals(sizes(file).stream().mapToLong(size -> size).sum(), buffers.bytes().value());
    assertEquals(true, buffers.ofApplication());
  }

  /** By the JDK's own reader; the recorder may not get hold of every stack. */
  private static List<Long> sizes(java.nio.file.Path file) {
    return Recordings.events(file, OUTSIDE_TLAB).stream()
        .filter(event -> event.getStackTrace() != null)
        .filter(event -> !event.getStackTrace().getFrames().isEmpty())
        .map((RecordedEvent event) -> event.getLong("allocationSize"))
        .filter(size -> size > LENGTH)
        .toList();
  }
}
