package io.gcdiag.evidence.time;

import java.util.function.Supplier;

/** Something that is worked out when it is first asked for. */
public final class Lazy<T> {

  private final Supplier<T> make;
  private volatile T value;

  /**
   * Nothing yet.
   *
   * @param make works it out; two threads that ask at once may both run it, with the same result
   */
  public Lazy(Supplier<T> make) {
    this.make = make;
  }

  public T get() {
    T known = value;
    if (known == null) {
      known = make.get();
      value = known;
    }
    return known;
  }
}
