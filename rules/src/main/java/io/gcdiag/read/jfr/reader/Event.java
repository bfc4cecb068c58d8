package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One event of a recording. It is good only until the next one is handed on: code that needs more
 * of it than a sum keeps the values, not the event.
 *
 * <p>A class and not an interface: where one reader alone is in use, HotSpot's first compiler calls
 * its methods directly, and takes the short ones into the caller. Through an interface it looks for
 * the method at each call.
 */
public abstract class Event implements Fields {

  private final Fields fields;

  /**
   * An event with the values given.
   *
   * @param fields its values by name; a reader may hand on others with each event
   */
  protected Event(Fields fields) {
    this.fields = fields;
  }

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
   * What was found out about its stack, as {@link Trace#note} says it.
   *
   * @param otherwise stands for the stack of an event without one
   */
  public <T> T stackNote(Note<T> about, Trace otherwise) {
    return stack().orElse(otherwise).note(about);
  }

  /** The thread it happened on. */
  public abstract Optional<EventThread> thread();

  @Override
  public Optional<String> text(String field) {
    return fields.text(field);
  }

  @Override
  public final OptionalLong number(String field) {
    return fields.number(field);
  }

  @Override
  public final OptionalDouble decimal(String field) {
    return fields.decimal(field);
  }

  @Override
  public final Duration duration(String field) {
    return fields.duration(field);
  }

  @Override
  public final Optional<Instant> time(String field) {
    return fields.time(field);
  }

  @Override
  public final Optional<String> className(String field) {
    return fields.className(field);
  }

  @Override
  public final Optional<String> method(String field) {
    return fields.method(field);
  }

  @Override
  public Optional<EventThread> thread(String field) {
    return fields.thread(field);
  }

  @Override
  public final Optional<Fields> inside(String field) {
    return fields.inside(field);
  }
}
