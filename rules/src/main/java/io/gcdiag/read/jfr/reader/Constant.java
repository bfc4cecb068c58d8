package io.gcdiag.read.jfr.reader;

import java.util.Optional;

/**
 * A decoded value of a constant pool, by the kind of its type.
 *
 * @param text of a text, or of a type that stands for one; the name of a class or method
 * @param thread of a thread
 * @param trace of a stack
 * @param fields of any other structure
 */
record Constant(
    Optional<String> text,
    Optional<EventThread> thread,
    Optional<Trace> trace,
    Optional<Fields> fields) {

  /** The absent value, like the number 0. */
  static final Constant ABSENT =
      new Constant(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  static Constant of(Optional<String> text) {
    return text.isEmpty()
        ? ABSENT
        : new Constant(text, Optional.empty(), Optional.empty(), Optional.empty());
  }

  static Constant of(EventThread thread) {
    return new Constant(Optional.empty(), Optional.of(thread), Optional.empty(), Optional.empty());
  }

  static Constant of(Trace trace) {
    return new Constant(Optional.empty(), Optional.empty(), Optional.of(trace), Optional.empty());
  }

  static Constant of(Fields fields) {
    return new Constant(Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(fields));
  }
}
