package io.gcdiag.units;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;

/** Plain numbers as text, the same in every locale. */
public final class Numbers {

  private static final double FOUR_DIGITS = 999.5;
  private static final double THREE_DIGITS = 99.95;
  private static final double TWO_DIGITS = 9.995;

  /** Digits as they are printed: plain, or in groups of three with commas. */
  static final String DIGITS = "(?:\\d{1,3}(?:,\\d{3})+|\\d+)";

  private static final MathContext SIGNIFICANT = new MathContext(3);

  private Numbers() {}

  /** A number whose whole part matches {@link #DIGITS}. */
  static double parse(String text) {
    return Double.parseDouble(text.replace(",", ""));
  }

  /** A count with thousands separated by commas: {@code 12,345}. */
  public static String count(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  /**
   * About three significant digits and no needless zeros: {@code 4.32}, {@code 24.8}, {@code 256},
   * {@code 12,345}.
   */
  public static String threeDigits(double value) {
    double size = Math.abs(value);
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      return "unknown";
    }
    if (size >= FOUR_DIGITS) {
      return String.format(Locale.ROOT, "%,d", Math.round(value));
    }
    String text;
    if (size >= THREE_DIGITS) {
      text = String.format(Locale.ROOT, "%.0f", value);
    } else if (size >= TWO_DIGITS) {
      text = String.format(Locale.ROOT, "%.1f", value);
    } else {
      text = String.format(Locale.ROOT, "%.2f", value);
    }
    return withoutTrailingZeros(text);
  }

  /** Like {@link #threeDigits}, with as many decimals as three digits need: {@code 0.00432}. */
  public static String threeSignificant(double value) {
    if (value == 0 || Math.abs(value) >= 1 || Double.isNaN(value)) {
      return threeDigits(value);
    }
    return BigDecimal.valueOf(value).round(SIGNIFICANT).stripTrailingZeros().toPlainString();
  }

  /** Exactly the given number of decimals. */
  public static String decimals(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static String withoutTrailingZeros(String text) {
    if (text.indexOf('.') < 0) {
      return text;
    }
    String shorter = text.replaceAll("0+$", "").replaceAll("\\.$", "");
    return shorter.equals("-0") ? "0" : shorter;
  }
}
