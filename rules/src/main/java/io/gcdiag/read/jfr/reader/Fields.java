package io.gcdiag.read.jfr.reader;

import io.gcdiag.units.Bytes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Named values: an event, or a structure inside one. JDKs and producers write different fields; a
 * field that is missing, null or of another kind than requested is absent.
 */
public interface Fields {

  /** A text, number or boolean as text. */
  Optional<String> text(String field);

  /** An integer, in the unit of the field. */
  OptionalLong number(String field);

  /** An integer or a default value; the fast variant, for values read from every event. */
  default long numberOr(String field, long absent) {
    return number(field).orElse(absent);
  }

  /** A size in memory; zero if it is absent or negative. */
  default Bytes bytes(String field) {
    return Bytes.of(Math.max(0, numberOr(field, 0)));
  }

  /** A floating-point number. */
  OptionalDouble decimal(String field);

  /**
   * Whether a time field has a value: the JVM writes the smallest number for no time and the
   * largest one for infinity.
   */
  static boolean isTime(long value) {
    return value != Long.MIN_VALUE && value != Long.MAX_VALUE;
  }

  /**
   * Checks that a duration fits into a long of nanoseconds (292 years), so that sums do not
   * overflow.
   *
   * @throws DamagedValueException for a longer one, which only damage can cause
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
   * Checks that an instant is within 292 years of 1970.
   *
   * @throws DamagedValueException for another one
   */
  static Instant storable(Instant instant) {
    storable(Duration.between(Instant.EPOCH, instant));
    return instant;
  }

  /** A span of time; zero if absent. */
  Duration duration(String field);

  Optional<Instant> time(String field);

  /** A class in source form: {@code byte[]} for {@code [B}. */
  Optional<String> className(String field);

  /** A method in the form of a frame: {@code package.Class.method}. */
  Optional<String> method(String field);

  Optional<EventThread> thread(String field);

  /** A structure that is neither class, method, thread nor stack. */
  Optional<Fields> inside(String field);

  /** A boolean; false if absent. */
  default boolean isTrue(String field) {
    return text(field).filter("true"::equals).isPresent();
  }

  /** A share, from 0 to 1; 0 if absent. */
  default double fraction(String field) {
    double value = decimal(field).orElse(0);
    return Double.isNaN(value) ? 0 : Math.max(0, Math.min(1, value));
  }
}
