package io.gcdiag.evidence.time;

import java.time.Duration;
import java.time.Instant;

/**
 * A span of time, from inclusive, to exclusive.
 *
 * @param from the start
 * @param to the end, after the start
 */
public record Window(Instant from, Instant to) {

  /** Checks that the window is not empty. */
  public Window {
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException("a window must end after it starts: " + from + ".." + to);
    }
  }

  /** How long it is. */
  public Duration length() {
    return Duration.between(from, to);
  }

  /** Its length in seconds. */
  public double seconds() {
    Duration length = length();
    return length.getSeconds() + length.getNano() / 1e9;
  }

  /** Whether the instant lies inside. */
  public boolean contains(Instant instant) {
    return !instant.isBefore(from) && instant.isBefore(to);
  }

  /** How much of the span that starts at {@code start} and lasts {@code length} lies inside. */
  public Duration overlap(Instant start, Duration length) {
    Instant end = start.plus(length);
    Instant first = start.isAfter(from) ? start : from;
    Instant last = end.isBefore(to) ? end : to;
    return first.isBefore(last) ? Duration.between(first, last) : Duration.ZERO;
  }

  /** The part of that length behind so many others of it; the last may end after the window. */
  public Window part(Duration each, int before) {
    Instant begin = from.plus(each.multipliedBy(before));
    return new Window(begin, begin.plus(each));
  }

  /** From where the first of both begins to where the last ends. */
  public Window hull(Window other) {
    return new Window(
        from.isBefore(other.from) ? from : other.from, to.isAfter(other.to) ? to : other.to);
  }
}
