package io.gcdiag.ingest.gclog.placing;

import io.gcdiag.evidence.pauses.PauseStore;
import io.gcdiag.ingest.gclog.store.GcLog;
import io.gcdiag.ingest.gclog.text.LogStamp;
import io.gcdiag.ingest.text.CredibleTime;
import io.gcdiag.units.Nanos;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A log's own clock. Where it has wall-clock stamps these are used, made finer by the uptime where
 * both are there; else uptimes are counted from 1970 until the start of the JVM is known. All is
 * done in nanoseconds since 1970: it is asked for every pause.
 */
final class LogClock {

  /** The two stamps of one line are nearer to each other than this, however busy the machine. */
  private static final long APART_NANOS = 1_001_000_000L;

  /** So many lines with both stamps tell the middle of them well. */
  private static final int ENOUGH = 8_192;

  private final boolean wallClock;

  /** When the JVM started; {@link Nanos#NO_TIME} if the log cannot tell. */
  private final long start;

  private LogClock(boolean wallClock, long start) {
    this.wallClock = wallClock;
    this.start = start;
  }

  static LogClock of(GcLog log) {
    PauseStore pauses = log.pauses();
    boolean dated = false;
    // The two stamps of one line are taken apart by up to some milliseconds: the middle one counts.
    int step = 1 + pauses.size() / ENOUGH;
    long[] starts = new long[1 + pauses.size() / step];
    int both = 0;
    for (int i = 0; i < pauses.size(); i++) {
      long wall = pauses.start(i);
      dated |= wall != Nanos.NO_TIME;
      if (i % step == 0 && wall != Nanos.NO_TIME && pauses.uptime(i) != Nanos.NO_TIME) {
        starts[both++] = wall - pauses.uptime(i);
      }
    }
    Arrays.sort(starts, 0, both);
    boolean oneRun = log.extent().runs() <= 1;
    return new LogClock(dated, both == 0 || !oneRun ? Nanos.NO_TIME : starts[both / 2]);
  }

  /** When the JVM started, where the log has both kinds of stamps and is of one run. */
  Optional<Instant> start() {
    return start == Nanos.NO_TIME ? Optional.empty() : Optional.of(Nanos.instant(start));
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
    long at = nanos(stamp.wallNanos(), stamp.uptimeNanos());
    return at == Nanos.NO_TIME ? Optional.empty() : Optional.of(Nanos.instant(at));
  }

  /**
   * The same of a stamp in nanoseconds.
   *
   * @param wall the wall clock since 1970, or {@link Nanos#NO_TIME}
   * @param uptime the uptime, or {@link Nanos#NO_TIME}
   * @return nanoseconds since 1970, or {@link Nanos#NO_TIME}
   */
  long nanos(long wall, long uptime) {
    long at = wallClock ? onTheWall(wall, uptime) : uptime;
    return CredibleTime.is(at) ? at : Nanos.NO_TIME;
  }

  private long onTheWall(long wall, long uptime) {
    if (start == Nanos.NO_TIME || uptime == Nanos.NO_TIME) {
      return wall;
    }
    // A clock that was set while the JVM ran makes the two disagree: then the wall clock holds.
    return wall != Nanos.NO_TIME && isAstray(wall, uptime) ? wall : start + uptime;
  }

  private boolean isAstray(long wall, long uptime) {
    return Math.abs(start + uptime - wall) >= APART_NANOS;
  }

  /** How many pauses show another time on the wall than their uptime leads to. */
  long astray(GcLog log) {
    PauseStore pauses = log.pauses();
    long astray = 0;
    for (int i = 0; i < pauses.size() && start != Nanos.NO_TIME; i++) {
      long wall = pauses.start(i);
      long uptime = pauses.uptime(i);
      if (wall != Nanos.NO_TIME && uptime != Nanos.NO_TIME && isAstray(wall, uptime)) {
        astray++;
      }
    }
    return astray;
  }
}
