package io.gcdiag.units;

import java.util.Locale;

/** A constant of an enum whose public name is its own in kebab case. */
public interface Named {

  /** The constant's name in code. */
  String name();

  /** The name used in machine-readable output: {@code OUT_OF_MEMORY} is {@code out-of-memory}. */
  default String id() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** The same for people: {@code CANNOT_TELL} is {@code cannot tell}. */
  default String words() {
    return id().replace('-', ' ');
  }
}
