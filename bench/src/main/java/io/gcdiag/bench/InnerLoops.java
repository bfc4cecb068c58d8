package io.gcdiag.bench;

import io.gcdiag.ingest.gclog.GcLog;
import io.gcdiag.ingest.gclog.GcLogReader;
import io.gcdiag.ingest.threads.ParsedDump;
import io.gcdiag.ingest.threads.ThreadDumps;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.PoolModel;
import io.gcdiag.queueing.PoolRun;
import io.gcdiag.queueing.PoolSimulation;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What is done once a line, thread or arrival. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class InnerLoops {

  private static final int PAUSES = 1_000;

  /** As {@code -Xlog:gc*} prints a young collection, shortened to what is read and what is not. */
  private static final int LINES_A_PAUSE = 5;

  private static final int LINES = PAUSES * LINES_A_PAUSE;
  private static final int THREADS = 1_000;

  /** A second of a busy service. */
  private static final int ARRIVALS_A_SECOND = 1_000;

  private static final int SECONDS = 10;
  private static final int ARRIVALS = ARRIVALS_A_SECOND * SECONDS;

  private final byte[] log = log().getBytes(StandardCharsets.UTF_8);
  private final String dump = dump();
  private final PoolModel pool =
      new PoolModel(
          PoolModel.Arrivals.EVEN,
          ARRIVALS_A_SECOND,
          10,
          new HoldTime.Exponential(Duration.ofMillis(8)),
          Duration.ofSeconds(SECONDS),
          List.of());

  private static String log() {
    StringBuilder text = new StringBuilder("[2024-05-01T10:00:00.000+0000][info][gc] Using G1\n");
    for (int i = 0; i < PAUSES; i++) {
      String at =
          String.format(Locale.ROOT, "[2024-05-01T10:%02d:%02d.123+0000][info]", i / 60, i % 60);
      String id = "GC(" + i + ") ";
      text.append(at).append("[gc,start] ").append(id);
      text.append("Pause Young (Normal) (G1 Evacuation Pause)\n");
      text.append(at).append("[gc,heap] ").append(id).append("Eden regions: 24->0(24)\n");
      text.append(at).append("[gc,metaspace] ").append(id).append("Metaspace: 10M->10M(12M)\n");
      text.append(at).append("[gc] ").append(id);
      text.append("Pause Young (Normal) (G1 Evacuation Pause) 102M->79M(256M) 4.123ms\n");
      text.append(at).append("[gc,cpu] ").append(id).append("User=0.01s Sys=0.00s Real=0.00s\n");
    }
    return text.toString();
  }

  private static String dump() {
    StringBuilder text =
        new StringBuilder("2024-05-01 10:00:00\nFull thread dump OpenJDK 64-Bit Server VM:\n\n");
    for (int i = 0; i < THREADS; i++) {
      text.append("\"http-nio-8080-exec-").append(i).append("\" #").append(i + 20);
      text.append(" daemon prio=5 os_prio=0 cpu=12.34ms elapsed=100.00s tid=0x00007f nid=0x1a");
      text.append(" waiting on condition [0x00007f]\n");
      text.append("   java.lang.Thread.State: TIMED_WAITING (parking)\n");
      text.append("\tat jdk.internal.misc.Unsafe.park(java.base@17.0.15/Native Method)\n");
      text.append("\t- parking to wait for  <0x00000000c0a8> (a java.util.concurrent.Semaphore)\n");
      for (int frame = 0; frame < 30; frame++) {
        text.append("\tat com.example.shop.Service").append(frame);
        text.append(".handle(Service.java:").append(frame + 10).append(")\n");
      }
      text.append('\n');
    }
    return text.toString();
  }

  /** A line of a unified log. */
  @Benchmark
  @OperationsPerInvocation(LINES)
  public GcLog unifiedLogLine() throws IOException {
    return GcLogReader.read(new ByteArrayInputStream(log));
  }

  /** A thread of a dump, with 31 frames. */
  @Benchmark
  @OperationsPerInvocation(THREADS)
  public List<ParsedDump> threadOfDump() throws IOException {
    return ThreadDumps.parse(new StringReader(dump));
  }

  /** A request that borrows from a pool of ten. */
  @Benchmark
  @OperationsPerInvocation(ARRIVALS)
  public PoolRun poolArrival() {
    return PoolSimulation.run(pool, 1);
  }
}
