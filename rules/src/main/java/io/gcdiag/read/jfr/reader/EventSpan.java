package io.gcdiag.read.jfr.reader;

import io.gcdiag.evidence.time.Window;
import java.time.Instant;

/** From when to when the events of a chunk ended, leaving out those that damage dates elsewhere. */
final class EventSpan {

  /** Ticks are counted in fractions of a nanosecond at the finest; a second is far inside. */
  private static final long INSIDE_NANOS = 1_000_000_000L;

  /** A damaged header can lie anywhere; nanoseconds fit for 290 years around 1970. */
  private static final long MOST_SECONDS = 9_000_000_000L;

  /** Of no chunk. */
  static final EventSpan NEVER =
      new EventSpan(new ChunkClock(0, 0, 1), new Window(Instant.EPOCH, Instant.EPOCH.plusNanos(1)));

  private final ChunkClock clock;
  private final long firstNanos;
  private final long lastNanos;

  /** All ticks from the one to the other are plausible; of others each is looked at. */
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
   * An event ended then.
   *
   * @return whether it can have
   */
  boolean add(long ticks) {
    if ((ticks < surelyFrom || ticks > surelyTo) && !isInside(ticks)) {
      return false;
    }
    first = Math.min(first, ticks);
    last = Math.max(last, ticks);
    return true;
  }

  /** The content of an event did not fit its size. */
  void misfit() {
    whole = false;
  }

  /** Whether that of each did. */
  boolean isWhole() {
    return whole;
  }

  void tell(EventSink sink) {
    if (first <= last) {
      sink.span(clock.instant(first), clock.instant(last));
    }
  }
}
