package io.gcdiag.read.jfr.reader;

import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Named values: an event, or a structure inside one. JDKs and producers differ in what they write;
 * a field that is missing, null or of another kind than asked for is absent.
 */
public interface Fields {

  /** A text, number or truth value as text. */
  Optional<String> text(String field);

  /** A whole number, in the unit of the field. */
  OptionalLong number(String field);

  /** A whole number, or another one if it is absent: for what every event is asked for. */
  default long numberOr(String field, long absent) {
    return number(field).orElse(absent);
  }

  /** A size in memory; none if it is absent, or less than nothing. */
  default Bytes bytes(String field) {
    return Bytes.of(Math.max(0, numberOr(field, 0)));
  }

  /** A number with a fraction. */
  OptionalDouble decimal(String field);

  /**
   * Whether a field of time applies: the JVM writes the smallest number for no time and the largest
   * one for ever.
   */
  static boolean isTime(long value) {
    return value != Long.MIN_VALUE && value != Long.MAX_VALUE;
  }

  /**
   * A span of time whose nanoseconds fit a long: 292 years, of which every sum is sound.
   *
   * @throws DamagedValueException for a longer one, which nothing but damage brings about
   */
  static Duration storable(Duration span) {
    try {
      span.toNanos();
      return span;
    } catch (ArithmeticException e) {
      throw DamagedValueException.of(e);
    }
  }

  /**
   * An instant that lies within 292 years of 1970.
   *
   * @throws DamagedValueException for another one
   */
  static Instant storable(Instant instant) {
    storable(Duration.between(Instant.EPOCH, instant));
    return instant;
  }

  /** A span of time; zero if absent. */
  Duration duration(String field);

  /** An instant. */
  Optional<Instant> time(String field);

  /** The class in source form: {@code byte[]} for {@code [B}. */
  Optional<String> className(String field);

  /** The method as a frame spells it: {@code package.Class.method}. */
  Optional<String> method(String field);

  /** A thread. */
  Optional<EventThread> thread(String field);

  /** A structure that is neither class, method, thread nor stack. */
  Optional<Fields> inside(String field);

  /** A truth value; false if absent. */
  default boolean isTrue(String field) {
    return text(field).filter("true"::equals).isPresent();
  }

  /** A share, from 0 to 1; 0 if absent. */
  default double fraction(String field) {
    double value = decimal(field).orElse(0);
    return Double.isNaN(value) ? 0 : Math.max(0, Math.min(1, value));
  }
}
