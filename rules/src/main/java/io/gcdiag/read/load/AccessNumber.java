package io.gcdiag.read.load;

import io.gcdiag.read.bytes.Line;
import java.util.Optional;

/**
 * A number in a field of an access log, with its unit if one follows it. Of a list such as {@code
 * 0.010, 0.020}, which nginx writes if a request was sent to two servers, the sum.
 */
final class AccessNumber {

  enum Unit {
    S(1e9),
    MS(1e6),
    US(1e3),
    NS(1);

    final double nanos;

    Unit(double nanos) {
      this.nanos = nanos;
    }

    String word() {
      return name().toLowerCase(java.util.Locale.ROOT);
    }
  }

  private double value;
  private int decimals;
  private Optional<Unit> unit = Optional.empty();

  /** The number, in the unit of the field. */
  double value() {
    return value;
  }

  /** Digits behind the point. */
  int decimals() {
    return decimals;
  }

  Optional<Unit> unit() {
    return unit;
  }

  /** Reads the number in a part of a text; false if it is none, or negative. */
  boolean read(Line text, int from, int to) {
    value = 0;
    decimals = 0;
    unit = Optional.empty();
    int at = from;
    boolean any = false;
    while (at < to) {
      char c = text.charAt(at);
      if (c >= '0' && c <= '9') {
        at = number(text, at, to);
        any = true;
      } else if (any && (c == ',' || c == ' ' || c == ':')) {
        at++;
      } else if (any && c == '-' && isAlone(text, at, to)) {
        at++;
      } else {
        return any && isUnit(text, at, to);
      }
    }
    return any;
  }

  private int number(Line text, int start, int end) {
    int at = start;
    double digits = 0;
    double scale = 1;
    int behind = -1;
    while (at < end) {
      char c = text.charAt(at);
      if (c >= '0' && c <= '9') {
        digits = digits * 10 + (c - '0');
        if (behind >= 0) {
          scale *= 10;
          behind++;
        }
      } else if (c == '.' && behind < 0) {
        behind = 0;
      } else {
        break;
      }
      at++;
    }
    value += digits / scale;
    decimals = Math.max(decimals, behind);
    return at;
  }

  /** A server of the list that was not reached. */
  private static boolean isAlone(Line text, int at, int end) {
    return at + 1 == end || text.charAt(at + 1) == ',' || text.charAt(at + 1) == ' ';
  }

  private boolean isUnit(Line text, int from, int to) {
    unit =
        switch (text.subSequence(from, to).toString()) {
          case "s", "sec", "seconds" -> Optional.of(Unit.S);
          case "ms", "msec", "milliseconds" -> Optional.of(Unit.MS);
          // A micro sign is two bytes in UTF-8, each taken for a character.
          case "us", "microseconds", "\u00B5s", "\u00C2\u00B5s", "\u00CE\u00BCs" ->
              Optional.of(Unit.US);
          case "ns" -> Optional.of(Unit.NS);
          default -> Optional.empty();
        };
    return unit.isPresent();
  }
}
