package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import java.time.Instant;

/** The earliest and the latest end of a chunk's events, without implausible times from damage. */
final class EventSpan {

  /** Ticks are at the finest fractions of a nanosecond; a second is far inside. */
  private static final long INSIDE_NANOS = 1_000_000_000L;

  /** A damaged header can have any time; a long of nanoseconds covers 290 years around 1970. */
  private static final long MOST_SECONDS = 9_000_000_000L;

  /** The span of no chunk. */
  static final EventSpan NEVER =
      new EventSpan(new ChunkClock(0, 0, 1), new Window(Instant.EPOCH, Instant.EPOCH.plusNanos(1)));

  private final ChunkClock clock;
  private final long firstNanos;
  private final long lastNanos;

  /** All ticks between these two are plausible; others are checked one by one. */
  private final long surelyFrom;

  private final long surelyTo;
  private long first = Long.MAX_VALUE;
  private long last = Long.MIN_VALUE;
  private boolean whole = true;

  EventSpan(ChunkClock clock, Window plausible) {
    this.clock = clock;
    firstNanos = nanos(plausible.from());
    lastNanos = nanos(plausible.to());
    long from = clock.near(firstNanos + INSIDE_NANOS);
    long to = clock.near(lastNanos - INSIDE_NANOS);
    boolean sure = from < to && isInside(from) && isInside(to);
    surelyFrom = sure ? from : Long.MAX_VALUE;
    surelyTo = sure ? to : Long.MIN_VALUE;
  }

  private static long nanos(Instant instant) {
    long seconds = Math.max(-MOST_SECONDS, Math.min(MOST_SECONDS, instant.getEpochSecond()));
    return seconds * INSIDE_NANOS + instant.getNano();
  }

  private boolean isInside(long ticks) {
    long nanos = clock.nanos(ticks);
    return nanos >= firstNanos && nanos < lastNanos;
  }

  /**
   * Adds the end of an event.
   *
   * @return whether it is plausible
   */
  boolean add(long ticks) {
    if ((ticks < surelyFrom || ticks > surelyTo) && !isInside(ticks)) {
      return false;
    }
    first = Math.min(first, ticks);
    last = Math.max(last, ticks);
    return true;
  }

  /** Records that the content of an event did not fit its size. */
  void misfit() {
    whole = false;
  }

  /** Whether the content of every event fitted. */
  boolean isWhole() {
    return whole;
  }

  void tell(EventSink sink) {
    if (first <= last) {
      sink.span(clock.instant(first), clock.instant(last));
    }
  }
}
