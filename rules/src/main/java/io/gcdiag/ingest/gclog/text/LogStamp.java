package io.gcdiag.ingest.gclog.text;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The time a log gives for something. Which of the two is there depends on how the log was
 * configured; both, one or none may be.
 *
 * @param wallClock the date, in UTC; the log writes whole milliseconds
 * @param uptime time since the JVM started; the log writes whole milliseconds
 */
public record LogStamp(Optional<Instant> wallClock, Optional<Duration> uptime) {

  /** A log without any time. */
  public static final LogStamp NONE = new LogStamp(Optional.empty(), Optional.empty());

  /** Whether the log gave any time at all. */
  public boolean isPresent() {
    return wallClock.isPresent() || uptime.isPresent();
  }

  /**
   * The stamp so much earlier: logs stamp a pause when they write it, which is at its end. An
   * uptime does not go below zero.
   */
  public LogStamp minus(Duration duration) {
    return new LogStamp(
        wallClock.map(at -> at.minus(duration)),
        uptime.map(at -> at.compareTo(duration) < 0 ? Duration.ZERO : at.minus(duration)));
  }
}
