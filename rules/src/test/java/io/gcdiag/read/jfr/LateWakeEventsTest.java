package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitSample.LateWakes;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of this JVM, in which it waits by the clock. */
class LateWakeEventsTest {

  private static final Duration LONG = Duration.ofMillis(40);
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final int TIMES = 3;

  @TempDir static Path folder;
  private static Timeline timeline;
  private static List<Duration> late;

  @BeforeAll
  static void record() {
    Path file =
        Recordings.record(
            folder.resolve("waits.jfr"),
            recording ->
                List.of("jdk.ThreadSleep", "jdk.ThreadPark", "jdk.JavaMonitorWait")
                    .forEach(type -> recording.enable(type).withThreshold(Duration.ofMillis(1))),
            LateWakeEventsTest::await);
    timeline = Recordings.read(file);
    String own = Thread.currentThread().getName();
    late =
        Recordings.events(file, "jdk.ThreadSleep").stream()
            .filter(event -> event.getThread("eventThread").getJavaName().equals(own))
            .filter(event -> event.getDuration("time").equals(LONG))
            .map(event -> event.getDuration().minus(LONG))
            .toList();
  }

  private static void await() {
    try {
      for (int i = 0; i < TIMES; i++) {
        Thread.sleep(LONG.toMillis());
        Thread.sleep(SHORT.toMillis());
        LockSupport.parkNanos(LONG.toNanos());
        Object monitor = new Object();
        synchronized (monitor) {
          monitor.wait(LONG.toMillis());
        }
      }
      // Called before its time: it cannot have been late.
      LockSupport.unpark(Thread.currentThread());
      LockSupport.parkNanos(Duration.ofMinutes(1).toNanos());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static List<LateWakes> wakes() {
    return timeline.samples(LateWakes.class);
  }

  @Test
  void waitsThatRanToTheirEndAreCounted() {
    assertEquals(TIMES, late.size());
    // Other threads of this JVM may wait by the clock as well. A wait can be cut short.
    assertTrue(wakes().stream().mapToLong(LateWakes::waits).sum() >= 2 * TIMES);
  }

  @Test
  void noneIsLaterThanTheLatest() {
    for (LateWakes some : wakes()) {
      assertTrue(some.late().compareTo(some.latest().multipliedBy(some.waits())) <= 0);
      assertTrue(some.latest().compareTo(some.late()) <= 0);
    }
    Duration latest = late.stream().max(Duration::compareTo).orElseThrow();
    assertTrue(wakes().stream().anyMatch(some -> some.latest().compareTo(latest) >= 0));
  }
}
