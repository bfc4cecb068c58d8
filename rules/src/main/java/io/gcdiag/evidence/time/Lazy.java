package io.gcdiag.evidence.time;

import java.util.function.Supplier;

/** Something that is worked out when it is first asked for. */
public final class Lazy<T> {

  private final Supplier<T> make;
  private volatile T value;

  /**
   * Nothing yet.
   *
   * @param make works it out, once; who asks meanwhile waits for it. It may ask for others, but
   *     never two for each other, so there is no deadlock
   */
  public Lazy(Supplier<T> make) {
    this.make = make;
  }

  public T get() {
    T known = value;
    return known == null ? made() : known;
  }

  private synchronized T made() {
    if (value == null) {
      value = make.get();
    }
    return value;
  }
}
