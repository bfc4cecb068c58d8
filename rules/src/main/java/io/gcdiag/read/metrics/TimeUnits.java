package io.gcdiag.read.metrics;

import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Units of time at the end of a series' name: {@code p95_ms}, {@code latency (seconds)}. */
final class TimeUnits {

  private static final Map<String, Double> SECONDS =
      Map.ofEntries(
          Map.entry("ns", 1e-9),
          Map.entry("nanos", 1e-9),
          Map.entry("nanoseconds", 1e-9),
          Map.entry("us", 1e-6),
          Map.entry("micros", 1e-6),
          Map.entry("microseconds", 1e-6),
          Map.entry("ms", 1e-3),
          Map.entry("millis", 1e-3),
          Map.entry("milliseconds", 1e-3),
          Map.entry("s", 1.0),
          Map.entry("sec", 1.0),
          Map.entry("secs", 1.0),
          Map.entry("seconds", 1.0),
          Map.entry("min", 60.0),
          Map.entry("minutes", 60.0));

  /** {@code latency_ms}, {@code latency.ms}, {@code latency [ms]}; {@code latencyMs}. */
  private static final Pattern LAST_WORD =
      Pattern.compile("(?:[^A-Za-z]|(?<=[a-z0-9])(?=[A-Z]))([A-Za-z]+)\\W*$");

  private TimeUnits() {}

  /** What brings values to seconds; absent if the name says no unit. */
  static OptionalDouble factor(String name) {
    Matcher last = LAST_WORD.matcher(name);
    Double factor = last.find() ? SECONDS.get(last.group(1).toLowerCase(Locale.ROOT)) : null;
    return factor == null ? OptionalDouble.empty() : OptionalDouble.of(factor);
  }
}
