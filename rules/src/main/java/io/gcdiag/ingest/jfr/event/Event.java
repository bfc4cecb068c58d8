package io.gcdiag.ingest.jfr.event;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One event of a recording. It is good only until the next one is handed on: whoever needs more of
 * it than a sum keeps the values, not the event.
 *
 * <p>A class and not an interface: where one reader alone is in use, HotSpot's first compiler calls
 * its methods directly, and takes the short ones into the caller. Through an interface it looks for
 * the method at each call.
 */
public abstract class Event implements Fields {

  /** The name of its type, such as {@code jdk.ThreadPark}. */
  public abstract String type();

  /** When it began. */
  public abstract Instant start();

  /** When it began, in nanoseconds since 1970. */
  public abstract long startNanos();

  /** How long it lasted, in nanoseconds: {@link #duration()}. */
  public abstract long lengthNanos();

  /** When it ended; its beginning, if it has no length. */
  public abstract Instant end();

  /** How long it lasted. */
  public abstract Duration duration();

  /** Where the thread was; absent if no stack was recorded. */
  public abstract Optional<Trace> stack();

  /** Whether a stack was recorded. */
  public boolean hasStack() {
    return stack().isPresent();
  }

  /**
   * What somebody found out about its stack, as {@link Trace#note} says it.
   *
   * @param otherwise stands for the stack of an event without one
   */
  public <T> T stackNote(Note<T> about, Trace otherwise) {
    return stack().orElse(otherwise).note(about);
  }

  /** The thread it happened on. */
  public abstract Optional<EventThread> thread();
}
