package io.gcdiag.loadtests;

import java.math.BigDecimal;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The share of the requests that are faster.
 *
 * @param value above 0, below 100
 */
public record Percentile(double value) {

  private static final double WHOLE = 100;

  private static final Pattern TEXT = Pattern.compile("[pP]?(\\d{1,2}(?:\\.\\d{1,4})?)");

  public Percentile {
    if (!(value > 0 && value < WHOLE)) {
      throw new IllegalArgumentException("a percentile lies between 0 and 100, was " + value);
    }
  }

  /**
   * Reads {@code p95}, {@code P99.9} or {@code 95}.
   *
   * @throws IllegalArgumentException if the text is no percentile
   */
  public static Percentile parse(String text) {
    Matcher matcher = TEXT.matcher(text.trim());
    if (!matcher.matches() || Double.parseDouble(matcher.group(1)) == 0) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a percentile; write it like p95 or p99.9");
    }
    return new Percentile(Double.parseDouble(matcher.group(1)));
  }

  /** The same as a share, 0 to 1. */
  double fraction() {
    return value / WHOLE;
  }

  /** How many of so many requests are slower. */
  double beyond(double requests) {
    return requests * (WHOLE - value) / WHOLE;
  }

  /** {@code P95}. */
  @Override
  public String toString() {
    return "P" + BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
  }
}
