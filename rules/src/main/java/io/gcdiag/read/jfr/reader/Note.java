package io.gcdiag.read.jfr.reader;

import java.util.function.Function;

/**
 * Something that can be found out about a stack, and is to be found out once. Each object stands
 * for a matter of its own; a stack has notes on a few matters only.
 *
 * @param <T> what is found out
 */
public final class Note<T> {

  private final Function<Trace, T> maker;

  /** Where it stood the last time among the matters of one stack or of one type of events. */
  private int place;

  /**
   * A matter.
   *
   * @param maker finds it out
   */
  public Note(Function<Trace, T> maker) {
    this.maker = maker;
  }

  /**
   * Takes what {@link #make} made for what it is: with each event, where a checked cast would be a
   * call through an interface.
   */
  @SuppressWarnings("unchecked")
  T cast(Object made) {
    return (T) made;
  }

  /** Where this matter is among others, or their number if it is none of them. */
  int placeAmong(Note<?>[] matters) {
    if (place < matters.length && matters[place] == this) {
      return place;
    }
    int at = 0;
    while (at < matters.length && matters[at] != this) {
      at++;
    }
    place = at;
    return at;
  }

  T make(Trace trace) {
    return maker.apply(trace);
  }
}
