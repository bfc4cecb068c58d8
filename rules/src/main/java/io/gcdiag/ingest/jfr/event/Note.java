package io.gcdiag.ingest.jfr.event;

import java.util.function.Function;

/**
 * Something that can be found out about a stack, and is to be found out once. Each object stands
 * for a matter of its own; a stack has notes on a few matters only.
 *
 * @param <T> what is found out
 */
public final class Note<T> {

  private final Function<Object, T> cast;
  private final Function<Trace, T> maker;

  /**
   * A matter.
   *
   * @param cast takes a note for what it is; asked with each event, where {@link Class#cast} is a
   *     call into the JVM
   * @param maker finds it out
   */
  public Note(Function<Object, T> cast, Function<Trace, T> maker) {
    this.cast = cast;
    this.maker = maker;
  }

  /** Takes a note on this matter for what it is. */
  public T cast(Object note) {
    return cast.apply(note);
  }

  T make(Trace trace) {
    return maker.apply(trace);
  }
}
