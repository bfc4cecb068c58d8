package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;

/**
 * Waits of threads that were to end by the clock and did: how much later than requested. A thread
 * whose time is up is ready to run; what it is late by, it waited for CPU, or for the end of a
 * stop.
 *
 * @param at when the interval began in which they ended
 * @param length how long the interval is
 * @param waits how many ended in it
 * @param late how late they were, all together
 * @param latest how late the latest was
 * @param source where they were read
 */
public record LateWakes(
    Instant at, Duration length, long waits, Duration late, Duration latest, Source source)
    implements Sample {

  /** From when the first of them was due, at the earliest, to the end of the interval. */
  public Window ready() {
    return new Window(at.minus(latest), at.plus(length));
  }
}
