package io.gcdiag.read.gclog.lines;

import io.gcdiag.evidence.jvm.PauseStore;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import java.time.Duration;
import java.util.Optional;

/**
 * In which order a log's times come. An export from a log store often has the newest first, and a
 * log without uptimes does not show otherwise that its clock was set back or that its parts stand
 * in the wrong order.
 */
final class StampOrder {

  /** Lines of several threads may swap places, by milliseconds. */
  private static final long DISORDER_NANOS = Duration.ofSeconds(1).toNanos();

  /** Fewer steps back may be runs of a JVM that follow one another. */
  private static final long FEW = 8;

  private long before = Nanos.NO_TIME;
  private long latest = Nanos.NO_TIME;
  private long forth;
  private long back;
  private long jumps;
  private long firstJump;
  private long farthest;

  private StampOrder() {}

  /** That of the times of a log's pauses, which are not placed yet. */
  static StampOrder of(PauseStore pauses) {
    StampOrder order = new StampOrder();
    for (int row = 0; row < pauses.size(); row++) {
      order.see(pauses.start(row), pauses.uptime(row), pauses.line(row));
    }
    return order;
  }

  private void see(long wallClock, long uptime, long line) {
    long now = wallClock == Nanos.NO_TIME ? uptime : wallClock;
    if (now == Nanos.NO_TIME) {
      return;
    }
    if (before != Nanos.NO_TIME) {
      forth += now > before ? 1 : 0;
      back += now < before ? 1 : 0;
    }
    before = now;
    if (uptime == Nanos.NO_TIME && latest != Nanos.NO_TIME && now < latest - DISORDER_NANOS) {
      jumps++;
      firstJump = firstJump == 0 ? line : firstJump;
      farthest = Math.max(farthest, latest - now);
      latest = now;
    }
    latest = Math.max(latest, now);
  }

  /** Whether the lines stand in the opposite order. */
  boolean newestFirst() {
    return back > FEW && back > 2 * forth;
  }

  /** What a reader has to know of it, if anything. */
  Optional<String> note() {
    if (newestFirst()) {
      return Optional.of("its newest lines come first; each line is read at its own time");
    }
    if (jumps == 0) {
      return Optional.empty();
    }
    return Optional.of(
        ("its times go back %s, by up to %s, first at line %s: the clock was set, or"
                + " parts stand in the wrong order; the times count as they stand")
            .formatted(
                jumps == 1 ? "once" : jumps + " times",
                Durations.format(Duration.ofNanos(farthest)),
                firstJump));
  }
}
