package io.gcdiag.read.jfr.reader;

import java.util.function.Function;

/**
 * Something derived from a stack, once per stack. Each object is a separate kind of note; a stack
 * has only a few.
 *
 * @param <T> type of the result
 */
public final class Note<T> {

  private final Function<Trace, T> maker;

  /** A kind of note. */
  public Note(Function<Trace, T> maker) {
    this.maker = maker;
  }

  /**
   * An unchecked cast of the result of {@link #make}, because a checked one would be an interface
   * call for each event.
   */
  @SuppressWarnings("unchecked")
  T cast(Object made) {
    return (T) made;
  }

  T make(Trace trace) {
    return maker.apply(trace);
  }
}
