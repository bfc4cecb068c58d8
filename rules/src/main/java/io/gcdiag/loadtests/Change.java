package io.gcdiag.loadtests;

/**
 * Something that differs in its settings in the second run.
 *
 * @param what its name, such as {@code heap maximum size}
 * @param before how it was
 * @param after how it is
 */
public record Change(String what, String before, String after) {

  boolean is(String name) {
    return what.equals(name);
  }
}
