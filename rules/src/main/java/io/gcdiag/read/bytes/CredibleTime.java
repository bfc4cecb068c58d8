package io.gcdiag.read.bytes;

import java.time.Instant;
import java.util.concurrent.TimeUnit;

/**
 * Which times can be those of a file. A damaged digit dates a line in the year 0 or 9999; what is
 * computed over such a span is wrong, or beyond what a count of nanoseconds holds (292 years).
 */
public final class CredibleTime {

  /** Where a machine's clock begins that was never set; uptimes are counted from there as well. */
  private static final Instant EARLIEST = Instant.EPOCH;

  /** No file in use was written later. */
  private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

  private static final long LATEST_NANOS = TimeUnit.SECONDS.toNanos(LATEST.getEpochSecond());

  private CredibleTime() {}

  /** Whether something can have happened so many nanoseconds after 1970 began. */
  public static boolean is(long nanos) {
    return nanos >= 0 && nanos < LATEST_NANOS;
  }

  /** Whether something can have happened then. */
  public static boolean is(Instant at) {
    return !at.isBefore(EARLIEST) && at.isBefore(LATEST);
  }
}
