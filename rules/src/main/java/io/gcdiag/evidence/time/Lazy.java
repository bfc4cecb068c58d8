package io.gcdiag.evidence.time;

import java.util.function.Supplier;

/** A value that is computed when it is first asked for. */
public final class Lazy<T> {

  private final Supplier<T> make;
  private volatile T value;

  /**
   * A value to compute.
   *
   * @param make computes it, once; other threads that ask meanwhile wait for it. It may ask for
   *     other values, but two must not ask for each other, which would be a deadlock
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
