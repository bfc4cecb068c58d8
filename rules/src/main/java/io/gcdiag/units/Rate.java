package io.gcdiag.units;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Events per second, zero or more: an arrival rate, a request rate.
 *
 * @param perSecond events per second, finite and at least 0
 */
public record Rate(double perSecond) implements Comparable<Rate> {

  private static final double SECONDS_PER_MINUTE = 60.0;
  private static final double SECONDS_PER_HOUR = 3600.0;

  private static final Pattern TEXT =
      Pattern.compile(
          "(" + Numbers.DIGITS + "(?:\\.\\d+)?)\\s*(?:/\\s*(s|sec|min|m|h))?",
          Pattern.CASE_INSENSITIVE);

  public Rate {
    if (Double.isNaN(perSecond) || Double.isInfinite(perSecond) || perSecond < 0) {
      throw new IllegalArgumentException(
          "a rate must be a number of events per second, 0 or more: " + perSecond);
    }
  }

  /**
   * Reads {@code 1000}, {@code 1000/s} or {@code 60000/min}; a bare number is per second.
   *
   * @throws IllegalArgumentException if the text is not a rate of at least 0
   */
  public static Rate parse(String text) {
    Matcher matcher = TEXT.matcher(text.trim());
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a rate; write it like 1000, 1000/s or 60000/min");
    }
    double number = Numbers.parse(matcher.group(1));
    String unit = matcher.group(2) == null ? "s" : matcher.group(2).toLowerCase(Locale.ROOT);
    return switch (unit) {
      case "m", "min" -> new Rate(number / SECONDS_PER_MINUTE);
      case "h" -> new Rate(number / SECONDS_PER_HOUR);
      default -> new Rate(number);
    };
  }

  @Override
  public int compareTo(Rate other) {
    return Double.compare(perSecond, other.perSecond);
  }

  /** For people: {@code 813/s}. */
  @Override
  public String toString() {
    return Numbers.threeDigits(perSecond) + "/s";
  }

  /** How often in a minute. */
  public double perMinute() {
    return perSecond * SECONDS_PER_MINUTE;
  }
}
