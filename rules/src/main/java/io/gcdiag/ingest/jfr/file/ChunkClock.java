package io.gcdiag.ingest.jfr.file;

import java.time.Duration;
import java.time.Instant;

/**
 * Turns a chunk's ticks into time. Events are stamped in ticks of the machine's counter; the header
 * says which tick was which instant when the chunk began, and how many make a second.
 *
 * <p>The headers of two chunks of one JVM never agree to the nanosecond, and at each border things
 * that belong together would be torn apart. So the first chunk's clock goes on (as in the JDK's own
 * reader since JDK-8351064) for as long as it agrees with the headers; where clocks were set, have
 * drifted apart over days, or another JVM's chunk follows, the header is right.
 */
public final class ChunkClock {

  private static final double NANOS = 1_000_000_000.0;

  /** Clocks that differ by less are the same clock, read at two moments. */
  private static final long AGREES_NANOS = 100_000_000L;

  private final long startTicks;
  private final long startNanos;
  private final double ticksPerNano;

  public ChunkClock(long startTicks, long startNanos, long ticksPerSecond) {
    this.startTicks = startTicks;
    this.startNanos = startNanos;
    this.ticksPerNano = ticksPerSecond / NANOS;
  }

  /** This clock, or the one before if that agrees with it. */
  ChunkClock after(ChunkClock before) {
    boolean agrees =
        before.ticksPerNano == ticksPerNano
            && Math.abs(before.nanos(startTicks) - startNanos) < AGREES_NANOS;
    return agrees ? before : this;
  }

  /** Nanoseconds since 1970; later ticks never give less. */
  public long nanos(long ticks) {
    return startNanos + (long) ((ticks - startTicks) / ticksPerNano);
  }

  public Instant instant(long ticks) {
    return Instant.ofEpochSecond(0, nanos(ticks));
  }

  /** The length of a number of ticks. */
  public Duration span(long ticks) {
    return Duration.ofNanos((long) (ticks / ticksPerNano));
  }

  /** A tick near that instant. */
  public long near(long nanos) {
    return startTicks + (long) ((nanos - startNanos) * ticksPerNano);
  }
}
