package io.gcdiag.units;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A number of bytes, zero or more.
 *
 * <p>Printed in binary units (KiB, MiB, GiB: powers of 1024), as the JVM counts its heap. {@link
 * #parse} takes the JVM's own spelling ({@code 256m}, {@code 2g}) and the binary and decimal units
 * of IEC 80000-13 ({@code 256MiB}, {@code 268MB}).
 *
 * @param value the number of bytes, at least 0
 */
public record Bytes(long value) implements Comparable<Bytes> {

  public static final Bytes ZERO = new Bytes(0);

  private static final long KIBI = 1L << 10;
  private static final long MEBI = 1L << 20;
  private static final double DECIMAL = 1_000;
  private static final String LETTERS = "kmgt";

  /** A bare letter is binary, as in {@code -Xmx512m}; a letter with B is decimal. */
  private static final Pattern TEXT =
      Pattern.compile(
          "("
              + Numbers.DIGITS
              + "(?:\\.\\d+)?)\\s*(?:(?<letter>["
              + LETTERS
              + "])(?<rest>(?:i?b)?)|b?)",
          Pattern.CASE_INSENSITIVE);

  public Bytes {
    if (value < 0) {
      throw new IllegalArgumentException("a number of bytes cannot be negative: " + value);
    }
  }

  public static Bytes of(long value) {
    return new Bytes(value);
  }

  /** The given number of KiB (1,024 bytes each). */
  public static Bytes ofKibi(long kibi) {
    return new Bytes(Math.multiplyExact(kibi, KIBI));
  }

  /** The given number of MiB (1,048,576 bytes each). */
  public static Bytes ofMebi(long mebi) {
    return new Bytes(Math.multiplyExact(mebi, MEBI));
  }

  /**
   * Reads a size such as {@code 256m}, {@code 2g}, {@code 1.5GiB} or {@code 4096}.
   *
   * @throws IllegalArgumentException if the text is not a size
   */
  public static Bytes parse(String text) {
    Matcher matcher = TEXT.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a size; write it like 256m, 2g or 256MiB");
    }
    String letter = matcher.group("letter");
    double step = "b".equalsIgnoreCase(matcher.group("rest")) ? DECIMAL : KIBI;
    int power = letter == null ? 0 : 1 + LETTERS.indexOf(letter.toLowerCase(Locale.ROOT));
    double bytes = Numbers.parse(matcher.group(1)) * Math.pow(step, power);
    if (bytes > Long.MAX_VALUE) {
      throw new IllegalArgumentException("'" + text + "' is larger than any heap");
    }
    return new Bytes(Math.round(bytes));
  }

  /** The difference to a smaller number of bytes; zero if the other one is larger. */
  public Bytes minusOrZero(Bytes other) {
    return new Bytes(Math.max(0, value - other.value));
  }

  /** The sum of both. */
  public Bytes plus(Bytes other) {
    return new Bytes(Math.addExact(value, other.value));
  }

  /**
   * This number of bytes as a share of a whole.
   *
   * @throws ArithmeticException if the whole is zero
   */
  public Ratio shareOf(Bytes whole) {
    if (whole.value == 0) {
      throw new ArithmeticException("no share of zero bytes");
    }
    return new Ratio((double) value / whole.value);
  }

  @Override
  public int compareTo(Bytes other) {
    return Long.compare(value, other.value);
  }

  /** Binary units with three significant digits at least: {@code 256 MiB}, {@code 8.28 GiB}. */
  @Override
  public String toString() {
    for (int power = LETTERS.length(); power > 0; power--) {
      long unit = 1L << 10 * power;
      if (reaches(unit)) {
        char letter = Character.toUpperCase(LETTERS.charAt(power - 1));
        return Numbers.threeDigits((double) value / unit) + " " + letter + "iB";
      }
    }
    return value + " B";
  }

  /** Whether this is one of the unit, or would be printed as 1,024 of the unit below. */
  private boolean reaches(long unit) {
    return value >= unit - unit / KIBI / 2;
  }
}
