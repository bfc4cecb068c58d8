package io.gcdiag.read.jfr.reader;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * One event of a recording. Valid only until the next event, so code that needs it longer keeps the
 * values and not the event.
 *
 * <p>A class and not an interface: with only one reader loaded, HotSpot's C1 compiler calls its
 * methods directly and inlines short ones. Through an interface it would look up the method at each
 * call.
 */
public abstract class Event implements Fields {

  private final Fields fields;

  /**
   * An event with the given values.
   *
   * @param fields its values by name; a reader may replace their contents with each event
   */
  protected Event(Fields fields) {
    this.fields = fields;
  }

  /** The name of its type, such as {@code jdk.ThreadPark}. */
  public abstract String type();

  /** When it began. */
  public final Instant start() {
    return Instant.ofEpochSecond(0, startNanos());
  }

  /** When it began, in nanoseconds since 1970. */
  public abstract long startNanos();

  /** How long it lasted, in nanoseconds: {@link #duration()}. */
  public abstract long lengthNanos();

  /** When it ended; its start, if it has no duration. */
  public final Instant end() {
    return Instant.ofEpochSecond(0, startNanos() + lengthNanos());
  }

  /** How long it lasted. */
  public final Duration duration() {
    return Duration.ofNanos(lengthNanos());
  }

  /** The thread's stack; empty if none was recorded. */
  public abstract Optional<Trace> stack();

  public boolean hasStack() {
    return stack().isPresent();
  }

  /**
   * A note about its stack, see {@link Trace#note}.
   *
   * @param otherwise used for an event without a stack
   */
  public <T> T stackNote(Note<T> about, Trace otherwise) {
    return stack().orElse(otherwise).note(about);
  }

  /** The thread that the event is about. */
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
