package io.gcdiag.read.bytes;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Which times are plausible for a file. A damaged digit may put a line into the year 0 or 9999;
 * figures over such a span are wrong, or exceed a count of nanoseconds (292 years).
 */
public final class CredibleTime {

  /** A machine's clock that was never set begins here; uptimes are counted from here as well. */
  private static final Instant EARLIEST = Instant.EPOCH;

  /** No file in use was written later. */
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private static final long LATEST_NANOS = TimeUnit.SECONDS.toNanos(LATEST.getEpochSecond());

  private CredibleTime() {}

  /** Whether a time, in nanoseconds since 1970, is plausible. */
  public static boolean is(long nanos) {
    return nanos >= 0 && nanos < LATEST_NANOS;
  }

  /** Whether a time is plausible. */
  public static boolean is(Instant at) {
    return !at.isBefore(EARLIEST) && at.isBefore(LATEST);
  }
}
