package io.gcdiag;

import static io.gcdiag.sketches.IncidentBuilder.incident;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSite;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.read.jfr.Recordings;
import io.gcdiag.sketches.IncidentBuilder;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedThread;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Far more sites, threads and hours than a recording of an incident has: no rule and no chart goes
 * through all of them at each moment. The limits of time would not do for a square of them.
 */
@Tag("slow")
@Timeout(120)
class LargeInputsTest {

  private static final int SITES = 100_000;
  private static final int THREADS = 10_000;

  @TempDir Path folder;

  @Test
  void aHundredThousandSitesOfOneLockAreJudgedTogether() {
    IncidentBuilder builder = incident().recorded(Signal.MONITOR_WAITS).cpu(30, 0.1, 0.2);
    for (int i = 0; i < SITES; i++) {
      // Each waits once for 20 ms in the second minute: 2,000 s in 60 s, 33 threads.
      WaitSite site = new WaitSite(WaitKind.LOCK, "shop.Stock", true, "shop.Shop.order" + i);
      builder.waited(site, 60 + i * 60.0 / SITES, 20);
    }
    Diagnosis diagnosis =
        Diagnoser.diagnose(builder.build().timeline(), Optional.empty(), Optional.empty());
    assertEquals(Optional.of(Hypothesis.LOCK_CONTENTION), diagnosis.primarySuspect());
  }

  /** Of 10,000 request threads 6,000 wait for one lock, in two dumps. */
  @Test
  void tenThousandThreadsInDumpsAreJudgedTogether() throws IOException {
    StringBuilder dump = new StringBuilder();
    dump.append("2026-03-01 10:00:%02d\nFull thread dump OpenJDK 64-Bit Server VM (17.0.15):\n\n");
    for (int i = 0; i < THREADS; i++) {
      boolean waits = i > 0 && i <= 6_000;
      dump.append("\"http-nio-8080-exec-").append(i).append("\" #").append(i + 20);
      dump.append(" daemon prio=5 os_prio=0 cpu=1.00ms elapsed=9.00s tid=0x0 nid=0x1 ");
      dump.append(waits ? "waiting for monitor entry\n   java.lang.Thread.State: BLOCKED\n" : "");
      dump.append(waits ? "" : "runnable\n   java.lang.Thread.State: RUNNABLE\n");
      dump.append("\tat shop.Stock.take(Stock.java:").append(i == 0 ? 12 : 9).append(")\n");
      dump.append(waits ? "\t- waiting to lock <0x00000000f0a1b2c3> (a shop.Stock)\n" : "");
      dump.append(i == 0 ? "\t- locked <0x00000000f0a1b2c3> (a shop.Stock)\n" : "");
      dump.append(
          "\tat org.apache.coyote.http11.Http11Processor.service(Http11Processor.java:3)\n\n");
    }
    Path[] dumps = new Path[2];
    for (int i = 0; i < dumps.length; i++) {
      dumps[i] = folder.resolve("threads-" + i + ".txt");
      Files.writeString(dumps[i], dump.toString().replace("%02d", "1" + i));
    }
    Diagnosis diagnosis = Analysis.run(AnalysisRequest.of(dumps));
    assertEquals(Optional.of(Hypothesis.LOCK_CONTENTION), diagnosis.primarySuspect());
  }

  /** 10,000 threads that each wait for 20 ms, no more than 500 of them at once. */
  @Test
  void tenThousandThreadsInARecordingAreRead() {
    Path file =
        Recordings.record(
            folder.resolve("threads.jfr"),
            recording -> recording.enable("jdk.ThreadPark").withThreshold(Duration.ZERO),
            LargeInputsTest::startThreads);
    Diagnosis diagnosis = Analysis.run(AnalysisRequest.of(file));
    assertTrue(
        Recordings.events(file, "jdk.ThreadPark").stream()
                .map(RecordedEvent::getThread)
                .map(RecordedThread::getJavaThreadId)
                .distinct()
                .count()
            >= THREADS);
    assertEquals(1, diagnosis.inputs().size());
    assertEquals(InputReport.Status.OK, diagnosis.inputs().get(0).status());
  }

  private static void startThreads() {
    for (int round = 0; round < THREADS / 500; round++) {
      List<Thread> threads =
          IntStream.range(0, 500)
              .mapToObj(i -> new Thread(null, LargeInputsTest::park, "exec-" + i, 64 * 1024))
              .toList();
      threads.forEach(Thread::start);
      threads.forEach(LargeInputsTest::join);
    }
  }

  private static void park() {
    LockSupport.parkNanos(20_000_000);
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A pause of 5 ms every ten seconds of 24 hours. */
  @Test
  void aQuietDayHasNoSuspect() throws IOException {
    StringBuilder log = new StringBuilder();
    for (int i = 0; i < 24 * 360; i++) {
      log.append("[%d.000s][info][gc] GC(%d) ".formatted(10 * i, i));
      log.append("Pause Young (Normal) (G1 Evacuation Pause) 60M->40M(128M) 5.000ms\n");
    }
    Path file = Files.writeString(folder.resolve("gc.log"), log);
    Diagnosis diagnosis = Analysis.run(AnalysisRequest.of(file));
    assertEquals(Optional.empty(), diagnosis.primarySuspect());
  }
}
