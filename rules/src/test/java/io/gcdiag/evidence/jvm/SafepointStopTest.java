package io.gcdiag.evidence.jvm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.TimelineBuilder;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class SafepointStopTest {

  private static final Instant START = Instant.parse("2024-05-01T10:00:00Z");

  private static SafepointStop stop(String operation) {
    return new SafepointStop(
        START,
        Duration.ofMillis(2),
        Duration.ofMillis(400),
        operation,
        VmOperations.isCollection(operation),
        new Source("recording.jfr", "jdk.ExecuteVMOperation"));
  }

  private static SafepointStop read(String operation, long pauseMillis) {
    GcPause pause =
        new GcPause(
            START.plusMillis(3),
            Duration.ofMillis(pauseMillis),
            PauseKind.FULL,
            "Heap Inspection Initiated GC",
            OptionalLong.of(7),
            Optional.empty(),
            false,
            new Source("recording.jfr", "jdk.GCPhasePause"));
    Timeline timeline =
        new TimelineBuilder()
            .recording("recording.jfr", new Window(START, START.plusSeconds(60)))
            .pauses("recording.jfr", List.of(pause))
            .safepoint(stop(operation))
            .build();
    return timeline.safepoints().get(0);
  }

  @Test
  void aClassHistogramIsNoCollection() {
    assertFalse(stop("GC_HeapInspection").collection());
    assertEquals(Duration.ofMillis(402), stop("GC_HeapInspection").lost());
  }

  @Test
  void theCollectionInsideOfAClassHistogramCountsOnce() {
    // Of 400 ms at the stop a full collection took 300 ms, and is told as a pause.
    assertTrue(read("GC_HeapInspection", 300).collection());
    assertEquals(Duration.ofMillis(2), read("GC_HeapInspection", 300).lost());
  }

  @Test
  void ofACollectionOnlyReachingItIsLostBesideItsPause() {
    assertEquals(Duration.ofMillis(2), read("G1CollectFull", 300).lost());
  }
}
