package io.gcdiag.read.gclog;

import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A timestamp in a log. The log's configuration determines which of the two it has; both, one or
 * none may be present.
 *
 * @param wallClock the date, in UTC; the log writes whole milliseconds
 * @param uptime time since the JVM started; the log writes whole milliseconds
 */
record LogStamp(Optional<Instant> wallClock, Optional<Duration> uptime) {

  /** A log without any time. */
  static final LogStamp NONE = new LogStamp(Optional.empty(), Optional.empty());

  /** From two times in nanoseconds, each {@link Nanos#NO_TIME} if missing. */
  static LogStamp of(long wallClock, long uptime) {
    return new LogStamp(
        wallClock == Nanos.NO_TIME ? Optional.empty() : Optional.of(Nanos.instant(wallClock)),
        uptime == Nanos.NO_TIME ? Optional.empty() : Optional.of(Duration.ofNanos(uptime)));
  }

  static LogStamp of(PauseStore pauses, int row) {
    return of(pauses.start(row), pauses.uptime(row));
  }

  /**
   * The date in nanoseconds since 1970; {@link Nanos#NO_TIME} if there is none, or if it is outside
   * the years 1678 to 2262.
   */
  long wallNanos() {
    return wallClock
        .filter(wall -> Math.abs(wall.getEpochSecond()) <= Nanos.MOST_SECONDS)
        .map(Nanos::since1970)
        .orElse(Nanos.NO_TIME);
  }

  /** The uptime in nanoseconds; {@link Nanos#NO_TIME} if there is none. */
  long uptimeNanos() {
    return uptime
        .filter(time -> time.getSeconds() <= Nanos.MOST_SECONDS)
        .map(Nanos::of)
        .orElse(Nanos.NO_TIME);
  }

  /** Whether both are in the same second, by the uptime if the log has it, else by the date. */
  boolean isInSecondOf(LogStamp other) {
    return second().equals(other.second());
  }

  private Optional<Long> second() {
    return uptime.map(Duration::toSeconds).or(() -> wallClock.map(Instant::getEpochSecond));
  }

  boolean isPresent() {
    return wallClock.isPresent() || uptime.isPresent();
  }

  /**
   * The timestamp minus a time: logs write a pause at its end. An uptime does not go below zero.
   */
  LogStamp minus(Duration duration) {
    return new LogStamp(
        wallClock.map(at -> at.minus(duration)),
        uptime.map(at -> at.compareTo(duration) < 0 ? Duration.ZERO : at.minus(duration)));
  }
}
