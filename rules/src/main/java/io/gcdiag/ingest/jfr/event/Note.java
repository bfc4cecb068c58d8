package io.gcdiag.ingest.jfr.event;

import java.util.function.Function;

/**
 * Something that can be found out about a stack, and is to be found out once. Each object stands
 * for a matter of its own; a stack has notes on a few matters only.
 *
 * @param <T> what is found out
 */
public final class Note<T> {

  private final Class<T> type;
  private final Function<Trace, T> maker;

  /** A matter, and how it is found out. */
  public Note(Class<T> type, Function<Trace, T> maker) {
    this.type = type;
    this.maker = maker;
  }

  Class<T> type() {
    return type;
  }

  T make(Trace trace) {
    return maker.apply(trace);
  }
}
