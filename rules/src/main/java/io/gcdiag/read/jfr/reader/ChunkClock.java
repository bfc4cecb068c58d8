package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Converts a chunk's ticks into time. Events have timestamps in ticks of the machine's counter; the
 * header states the tick and the time at which the chunk began, and the ticks per second.
 *
 * <p>The headers of two chunks of one JVM never agree to the nanosecond, which would separate
 * related events at each border. So the first chunk's clock is used (as in the JDK's own reader
 * since JDK-8351064) while it agrees with the headers. If clocks were set or have drifted apart
 * over days, or another JVM's chunk follows, the header is used.
 *
 * <p>HotSpot takes the counter's frequency from the processor's name. If that is wrong (virtual
 * machines with a scaled counter), events are after the end of their chunk; {@link TickSpan}
 * measures the factor, and the clock is slowed down by it.
 */
final class ChunkClock {

  private static final double NANOS = 1_000_000_000.0;

  /** Clocks that differ by less are the same clock, read at two moments. */
  private static final long AGREES_NANOS = 100_000_000L;

  private final long startTicks;
  private final long startNanos;
  private final long ticksPerSecond;

  /** By how much the counter is faster than the header states; 1 where both clocks agree. */
  final double ratio;

  private final double ticksPerNano;

  ChunkClock(long startTicks, long startNanos, long ticksPerSecond) {
    this(startTicks, startNanos, ticksPerSecond, 1);
  }

  private ChunkClock(long startTicks, long startNanos, long ticksPerSecond, double ratio) {
    this.startTicks = startTicks;
    this.startNanos = startNanos;
    this.ticksPerSecond = ticksPerSecond;
    this.ratio = ratio;
    this.ticksPerNano = ticksPerSecond / NANOS * ratio;
  }

  /**
   * This clock with the frequency that was measured, or else with that of the chunk before.
   *
   * @param measured by how much the frequency is higher than stated; empty if that is not known
   */
  ChunkClock corrected(OptionalDouble measured, Optional<ChunkClock> before) {
    double known =
        before
            .filter(clock -> clock.ticksPerSecond == ticksPerSecond)
            .map(c -> c.ratio)
            .orElse(1.0);
    return new ChunkClock(startTicks, startNanos, ticksPerSecond, measured.orElse(known));
  }

  /** This clock, or the one before if that agrees with it. */
  ChunkClock after(ChunkClock before) {
    boolean agrees =
        before.ticksPerNano == ticksPerNano
            && Math.abs(before.nanos(startTicks) - startNanos) < AGREES_NANOS;
    return agrees ? before : this;
  }

  /** Nanoseconds since 1970; monotonic in the ticks. */
  long nanos(long ticks) {
    return startNanos + (long) ((ticks - startTicks) / ticksPerNano);
  }

  Instant instant(long ticks) {
    return Instant.ofEpochSecond(0, nanos(ticks));
  }

  Duration span(long ticks) {
    return Duration.ofNanos((long) (ticks / ticksPerNano));
  }
}
