package io.gcdiag.ingest.gclog;

import io.gcdiag.ingest.text.CredibleTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A log's own clock. Where it has wall-clock stamps these are used, made finer by the uptime where
 * both are there; else uptimes are counted from 1970 until somebody knows when the JVM started.
 */
final class LogClock {

  private final boolean wallClock;
  private final Optional<Instant> start;

  private LogClock(boolean wallClock, Optional<Instant> start) {
    this.wallClock = wallClock;
    this.start = start;
  }

  static LogClock of(GcLog log) {
    boolean dated = log.pauses().stream().anyMatch(p -> p.start().wallClock().isPresent());
    // The two stamps of one line are taken apart by up to some milliseconds: the middle one counts.
    List<Instant> starts =
        log.pauses().stream()
            .map(LoggedPause::start)
            .filter(stamp -> stamp.wallClock().isPresent() && stamp.uptime().isPresent())
            .map(stamp -> stamp.wallClock().get().minus(stamp.uptime().get()))
            .sorted()
            .toList();
    boolean oneRun = log.extent().runs() <= 1;
    return new LogClock(
        dated,
        starts.isEmpty() || !oneRun
            ? Optional.empty()
            : Optional.of(starts.get(starts.size() / 2)));
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

  private Optional<Instant> onTheWall(LogStamp stamp) {
    Optional<Instant> fromUptime = start.flatMap(origin -> stamp.uptime().map(origin::plus));
    return fromUptime.filter(at -> isNear(at, stamp)).or(stamp::wallClock);
  }

  /** How many pauses show another time on the wall than their uptime leads to. */
  long astray(GcLog log) {
    return start.isEmpty()
        ? 0
        : log.pauses().stream()
            .map(LoggedPause::start)
            .filter(stamp -> stamp.wallClock().isPresent() && stamp.uptime().isPresent())
            .filter(stamp -> !isNear(start.get().plus(stamp.uptime().get()), stamp))
            .count();
  }

  /** A clock that was set while the JVM ran makes the two disagree: then the wall clock holds. */
  private static boolean isNear(Instant at, LogStamp stamp) {
    return stamp
        .wallClock()
        .filter(wall -> Duration.between(wall, at).abs().toMillis() > 1_000)
        .isEmpty();
  }
}
