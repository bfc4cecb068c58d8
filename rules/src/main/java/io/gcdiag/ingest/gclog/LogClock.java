package io.gcdiag.ingest.gclog;

import io.gcdiag.ingest.text.CredibleTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A log's own clock. Where it has wall-clock stamps these are used, made finer by the uptime where
 * both are there; else uptimes are counted from 1970 until somebody knows when the JVM started.
 */
final class LogClock {

  private static final long NANOS = 1_000_000_000L;

  /** Nanoseconds since 1970 fit into a number until the year 2262. */
  private static final long MOST_SECONDS = 9_200_000_000L;

  /** The two stamps of one line are nearer to each other than this, however busy the machine. */
  private static final long APART_MILLIS = 1_000;

  private final boolean wallClock;
  private final Optional<Instant> start;

  private LogClock(boolean wallClock, Optional<Instant> start) {
    this.wallClock = wallClock;
    this.start = start;
  }

  static LogClock of(GcLog log) {
    boolean dated = false;
    // The two stamps of one line are taken apart by up to some milliseconds: the middle one counts.
    long[] starts = new long[log.pauses().size()];
    int both = 0;
    for (LoggedPause pause : log.pauses()) {
      LogStamp stamp = pause.start();
      dated |= stamp.wallClock().isPresent();
      if (stamp.wallClock().isPresent() && stamp.uptime().isPresent()) {
        starts[both++] = nanos(stamp.wallClock().get().minus(stamp.uptime().get()));
      }
    }
    Arrays.sort(starts, 0, both);
    boolean oneRun = log.extent().runs() <= 1;
    return new LogClock(
        dated, both == 0 || !oneRun ? Optional.empty() : Optional.of(instant(starts[both / 2])));
  }

  /** Since 1970; a date too far off for a number stays as far off as one can be. */
  private static long nanos(Instant instant) {
    Duration since = Duration.between(Instant.EPOCH, instant);
    return Math.abs(since.getSeconds()) > MOST_SECONDS
        ? Long.signum(since.getSeconds()) * MOST_SECONDS * NANOS
        : since.toNanos();
  }

  private static Instant instant(long nanos) {
    return Instant.EPOCH.plusNanos(nanos);
  }

  /** Whether its instants are wall-clock times. */
  boolean isWallClock() {
    return wallClock;
  }

  /**
   * The instant of a stamp; empty if the log gave it no time of the kind it has elsewhere, or none
   * that can be.
   */
  Optional<Instant> at(LogStamp stamp) {
    Optional<Instant> at = wallClock ? onTheWall(stamp) : stamp.uptime().map(Instant.EPOCH::plus);
    return at.filter(CredibleTime::is);
  }

  /** Asked for every pause each time a rule looks at it. */
  private Optional<Instant> onTheWall(LogStamp stamp) {
    if (start.isEmpty() || stamp.uptime().isEmpty()) {
      return stamp.wallClock();
    }
    Instant at = start.get().plus(stamp.uptime().get());
    // A clock that was set while the JVM ran makes the two disagree: then the wall clock holds.
    return stamp.wallClock().isPresent() && isFar(at, stamp.wallClock().get())
        ? stamp.wallClock()
        : Optional.of(at);
  }

  /** How many pauses show another time on the wall than their uptime leads to. */
  long astray(GcLog log) {
    long astray = 0;
    for (LoggedPause pause : log.pauses()) {
      LogStamp stamp = pause.start();
      boolean both = stamp.wallClock().isPresent() && stamp.uptime().isPresent();
      if (both
          && start.isPresent()
          && isFar(start.get().plus(stamp.uptime().get()), stamp.wallClock().get())) {
        astray++;
      }
    }
    return astray;
  }

  private static boolean isFar(Instant one, Instant other) {
    return Duration.between(one, other).abs().toMillis() > APART_MILLIS;
  }
}
