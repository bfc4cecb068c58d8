package io.gcdiag.comparison;

/**
 * Something that was set otherwise in the second run.
 *
 * @param what its name, such as {@code heap ceiling}
 * @param before how it was
 * @param after how it is
 */
public record Change(String what, String before, String after) {

  boolean is(String name) {
    return what.equals(name);
  }
}
