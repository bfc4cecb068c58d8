package io.gcdiag.ingest.jfr.chunk;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** What is done once an event of a recording. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class EventDecoding {

  private static final int EVENTS = 10_000;
  private static final int LOW_BITS = 0x7f;
  private static final int MORE = 0x80;

  /**
   * Start, duration, thread, stack, class, timeout, until and address of {@code jdk.ThreadPark}.
   */
  private static final long[] LARGEST = {
    1L << 44, 1L << 24, 1L << 8, 1L << 14, 1L << 12, 1L << 30, 1, 1L << 47
  };

  private final byte[] bytes = new byte[EVENTS * LARGEST.length * (Long.BYTES + 1)];
  private final long[] values = new long[LARGEST.length];

  /** Events of numbers as large as a JVM's. */
  public EventDecoding() {
    Random random = new Random(1);
    int at = 0;
    for (int event = 0; event < EVENTS; event++) {
      for (long largest : LARGEST) {
        long value = largest / 2 + (long) (random.nextDouble() * largest / 2);
        for (; value > LOW_BITS; value >>>= Byte.SIZE - 1) {
          bytes[at++] = (byte) (value | MORE);
        }
        bytes[at++] = (byte) value;
      }
    }
  }

  /** All numbers of an event. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long readEvent() {
    Bytes in = new Bytes(bytes, true);
    long sum = 0;
    for (int event = 0; event < EVENTS; event++) {
      in.readVarints(values, 0, values.length);
      sum += values[0];
    }
    return sum;
  }

  /** Passing over the same. */
  @Benchmark
  @OperationsPerInvocation(EVENTS)
  public long skipEvent() {
    Bytes in = new Bytes(bytes, true);
    for (int event = 0; event < EVENTS; event++) {
      in.skipVarints(values.length);
    }
    return in.at();
  }
}
