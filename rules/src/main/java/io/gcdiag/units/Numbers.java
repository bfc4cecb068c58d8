package io.gcdiag.units;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/** Plain numbers as text, the same in every locale. */
public final class Numbers {

  private static final double FOUR_DIGITS = 999.5;
  private static final double THREE_DIGITS = 99.95;
  private static final double TWO_DIGITS = 9.995;

  /** Half of the second decimal. */
  private static final double LEAST_PRINTED = 0.005;

  /** Digits as they are printed: plain, or in groups of three with commas. */
  static final String DIGITS = "(?:\\d{1,3}(?:,\\d{3})+|\\d+)";

  private static final int GROUP = 3;

  /** What is said of a value that is no number. */
  private static final String UNKNOWN = "unknown";

  private static final int FEWEST_DIGITS = 3;

  /** More digits of a factor than anything is measured to. */
  private static final int MOST_DIGITS = 7;

  private Numbers() {}

  /** A figure of what may not be there. */
  public static <T> OptionalDouble of(Optional<T> known, ToDoubleFunction<? super T> figure) {
    return known.isPresent()
        ? OptionalDouble.of(figure.applyAsDouble(known.get()))
        : OptionalDouble.empty();
  }

  /** A number whose whole part matches {@link #DIGITS}. */
  static double parse(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  /** A count with thousands separated by commas: {@code 12,345}. */
  public static String count(long value) {
    return grouped(Long.toString(value));
  }

  /** A number of things, as {@code 1 dump} or {@code 1,200 dumps}. */
  public static String counted(long number, String thing) {
    return count(number) + " " + thing + (number == 1 ? "" : "s");
  }

  /**
   * About three significant digits and no needless zeros: {@code 4.32}, {@code 24.8}, {@code 256},
   * {@code 12,345}.
   */
  public static String threeDigits(double value) {
    double size = Math.abs(value);
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return UNKNOWN;
    }
    if (size >= FOUR_DIGITS) {
      return count(Math.round(value));
    }
    int decimals = 2;
    if (size >= THREE_DIGITS) {
      decimals = 0;
    } else if (size >= TWO_DIGITS) {
      decimals = 1;
    }
    return withoutTrailingZeros(rounded(value, decimals));
  }

  /** Whether {@link #threeDigits} prints a zero. */
  public static boolean isNothing(double value) {
    return Math.abs(value) < LEAST_PRINTED;
  }

  /** Like {@link #threeDigits}, with as many decimals as three digits need: {@code 0.00432}. */
  public static String threeSignificant(double value) {
    if (value == 0 || Math.abs(value) >= 1 || Double.isNaN(value)) {
      return threeDigits(value);
    }
    return significant(value, FEWEST_DIGITS);
  }

  /** So many significant digits, without needless zeros; of whole numbers all digits. */
  private static String significant(double value, int digits) {
    BigDecimal exact = BigDecimal.valueOf(value);
    int decimals = Math.max(0, digits - exact.precision() + exact.scale());
    return withoutTrailingZeros(grouped(rounded(value, decimals)));
  }

  /**
   * Factors with three digits, or as many more as it takes for them, as printed, to make the
   * printed figure; empty if they do not.
   *
   * @param format takes the factors
   */
  public static Optional<String> exactly(
      String format, double figure, ToDoubleFunction<double[]> made, double... factors) {
    return IntStream.rangeClosed(FEWEST_DIGITS, MOST_DIGITS)
        .mapToObj(
            digits ->
                Arrays.stream(factors)
                    .mapToObj(factor -> significant(factor, digits))
                    .toArray(String[]::new))
        .filter(
            printed ->
                threeDigits(
                        made.applyAsDouble(
                            Arrays.stream(printed).mapToDouble(Numbers::parse).toArray()))
                    .equals(threeDigits(figure)))
        .findFirst()
        .map(printed -> format.formatted((Object[]) printed));
  }

  /** Exactly the given number of decimals. */
  public static String decimals(double value, int decimals) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return UNKNOWN;
    }
    return grouped(rounded(value, decimals));
  }

  /**
   * The number with so many decimals and its sign, also in front of what rounds to a zero. Not by
   * {@link String#format}, which takes a hundred times as long while a JVM is young.
   */
  private static String rounded(double value, int decimals) {
    BigDecimal exact = BigDecimal.valueOf(value).setScale(decimals, RoundingMode.HALF_UP);
    String sign = exact.signum() == 0 && value < 0 ? "-" : "";
    return sign + exact.toPlainString();
  }

  /** Commas between every three digits of the whole part. */
  private static String grouped(String digits) {
    int point = digits.indexOf('.');
    int first = digits.startsWith("-") ? 1 : 0;
    StringBuilder text = new StringBuilder(digits);
    for (int i = (point < 0 ? digits.length() : point) - GROUP; i > first; i -= GROUP) {
      text.insert(i, ',');
    }
    return text.toString();
  }

  private static String withoutTrailingZeros(String text) {
    if (text.indexOf('.') < 0) {
      return text;
    }
    int end = text.length();
    while (text.charAt(end - 1) == '0') {
      end--;
    }
    String shorter = text.substring(0, text.charAt(end - 1) == '.' ? end - 1 : end);
    return shorter.equals("-0") ? "0" : shorter;
  }

  /** {@code 1 thread}, {@code 2.5 threads}. */
  public static String threads(double number) {
    String text = threeDigits(number);
    return text + (text.equals("1") ? " thread" : " threads");
  }

  public static double sum(Map<?, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).sum();
  }
}
