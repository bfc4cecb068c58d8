package io.gcdiag.units;

import java.time.Duration;
import java.time.Instant;

/**
 * Instants and durations as numbers of nanoseconds, for what is done a million times. A long holds
 * 292 years of them: what lies beyond becomes the longest time that there is.
 */
public final class Nanos {

  /** A time that is not known, in a column of times that are. */
  public static final long NO_TIME = Long.MIN_VALUE;

  private static final long PER_SECOND = 1_000_000_000L;
  private static final double PER_SECOND_EXACT = 1e9;

  /** Whole seconds that fit with room for a fraction. */
  public static final long MOST_SECONDS = Long.MAX_VALUE / PER_SECOND - 1;

  private Nanos() {}

  /** Nanoseconds from 1970 to an instant, negative before. */
  public static long since1970(Instant at) {
    return of(at.getEpochSecond(), at.getNano());
  }

  public static long of(Duration duration) {
    return of(duration.getSeconds(), duration.getNano());
  }

  private static long of(long seconds, int nanos) {
    if (seconds > MOST_SECONDS) {
      return Long.MAX_VALUE;
    }
    return seconds < -MOST_SECONDS ? Long.MIN_VALUE : seconds * PER_SECOND + nanos;
  }

  /** The instant so many nanoseconds after 1970 began. */
  public static Instant instant(long nanos) {
    return Instant.ofEpochSecond(
        Math.floorDiv(nanos, PER_SECOND), Math.floorMod(nanos, PER_SECOND));
  }

  /** The sum of two times that are not negative, or the longest time that there is. */
  public static long plus(long one, long other) {
    long sum = one + other;
    return sum < 0 && one >= 0 && other >= 0 ? Long.MAX_VALUE : sum;
  }

  /** In seconds, rounded as {@link Durations#seconds} does. */
  public static double seconds(long nanos) {
    return Math.floorDiv(nanos, PER_SECOND) + Math.floorMod(nanos, PER_SECOND) / PER_SECOND_EXACT;
  }
}
