package io.gcdiag.read.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadCount;
import io.gcdiag.evidence.threads.ThreadGroupSample.ThreadTurnover;
import io.gcdiag.evidence.time.Signal;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A recording of this JVM, in which it starts threads in three ways. */
class ThreadCountEventsTest {

  @TempDir static Path folder;
  private static Timeline timeline;

  @BeforeAll
  static void record() {
    Path file =
        Recordings.record(
            folder.resolve("threads.jfr"),
            recording -> {
              recording.enable("jdk.ActiveSetting");
              recording.enable("jdk.ThreadStart").withStackTrace();
              recording.enable("jdk.ThreadEnd");
              recording.enable("jdk.JavaThreadStatistics").with("period", "endChunk");
            },
            ThreadCountEventsTest::work);
    timeline = Recordings.read(file);
  }

  private static void work() {
    CountDownLatch end = new CountDownLatch(1);
    for (int i = 0; i < 7; i++) {
      started("kept-" + i, () -> awaited(end));
    }
    for (int i = 0; i < 5; i++) {
      joined(started("short-" + i, () -> {}));
    }
    ExecutorService pool =
        Executors.newFixedThreadPool(4, task -> new Thread(task, "pooled-" + task.hashCode()));
    for (int i = 0; i < 4; i++) {
      pool.execute(() -> {});
    }
    pool.shutdown();
    for (int i = 0; i < 3; i++) {
      ExecutorService own = Executors.newSingleThreadExecutor();
      own.execute(() -> {});
      own.shutdown();
    }
    Recordings.rotate();
    end.countDown();
  }

  private static Thread started(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.start();
    return thread;
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static List<ThreadTurnover> of(Predicate<String> group) {
    return timeline.samples(ThreadTurnover.class).stream()
        .filter(turnover -> group.test(turnover.group()))
        .toList();
  }

  private static long started(List<ThreadTurnover> turnovers) {
    return turnovers.stream().mapToLong(ThreadTurnover::started).sum();
  }

  @Test
  void threadsAreCountedByTheCodeThatStartsThem() {
    List<ThreadTurnover> kept = of("kept-*"::equals);
    assertEquals(7, started(kept));
    assertEquals(getClass().getName() + ".started", kept.get(0).site());
    assertFalse(kept.get(0).pooled());
  }

  @Test
  void endsAreCountedToo() {
    List<ThreadTurnover> gone = of("short-*"::equals);
    assertEquals(5, started(gone));
    assertEquals(5, gone.stream().mapToLong(ThreadTurnover::ended).sum());
  }

  @Test
  void aPoolsThreadsAreThePools() {
    List<ThreadTurnover> pooled = of("pooled-*"::equals);
    assertEquals(4, started(pooled));
    assertTrue(pooled.stream().allMatch(ThreadTurnover::pooled));
  }

  @Test
  void aPoolForEachPieceOfWorkIsNoPool() {
    List<ThreadTurnover> own = of("pool-*-thread-*"::equals);
    assertEquals(3, started(own));
    assertTrue(own.stream().noneMatch(ThreadTurnover::pooled));
  }

  @Test
  void theNumberOfThreadsIsReadWhereItWasRecorded() {
    assertTrue(timeline.coverage().of(Signal.THREAD_COUNTS).recorded());
    assertTrue(timeline.samples(ThreadCount.class).stream().allMatch(count -> count.active() >= 1));
  }

  @Test
  void aJvmWithoutVirtualThreadsPinsNone() {
    // The event is known from JDK 21 on; it was not enabled here.
    boolean known = Runtime.version().feature() >= 21;
    assertEquals(!known, timeline.coverage().of(Signal.PINNED_THREADS).recorded());
  }
}
