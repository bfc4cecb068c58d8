package io.gcdiag.evidence.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A span of time, from inclusive, to exclusive.
 *
 * @param to the end, after the start
 */
public record Window(Instant from, Instant to) {

  public Window {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("a window must end after it starts: " + from + ".." + to);
    }
  }

  public Duration length() {
    return Duration.between(from, to);
  }

  public double seconds() {
    Duration length = length();
    return length.getSeconds() + length.getNano() / 1e9;
  }

  public boolean contains(Instant instant) {
    return !instant.isBefore(from) && instant.isBefore(to);
  }

  /** The part of the time from {@code start} for {@code length} that is inside. */
  public Duration overlap(Instant start, Duration length) {
    Instant end = start.plus(length);
    Instant first = start.isAfter(from) ? start : from;
    Instant last = end.isBefore(to) ? end : to;
    return first.isBefore(last) ? Duration.between(first, last) : Duration.ZERO;
  }

  /**
   * The part of that length after a number of parts of the same length; the last may end after the
   * window.
   */
  public Window part(Duration each, int before) {
    Instant begin = from.plusNanos(each.toNanos() * before);
    return new Window(begin, begin.plus(each));
  }

  /** The smallest window that contains both. */
  public Window hull(Window other) {
    return new Window(
        from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
  }
}
