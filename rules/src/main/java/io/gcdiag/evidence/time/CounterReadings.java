package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Rates from the readings of a counter. */
public final class CounterReadings {
  private CounterReadings() {}

  /** Growth per second, from the first reading to the last; empty with fewer than two. */
  public static <T extends Sample> OptionalDouble perSecond(
      List<T> readings, ToDoubleFunction<T> total) {
    if (readings.size() < 2) {
      return OptionalDouble.empty();
    }
    T first = readings.get(0);
    T last = readings.get(readings.size() - 1);
    double seconds = Durations.seconds(Duration.between(first.at(), last.at()));
    return seconds > 0
        ? OptionalDouble.of((total.applyAsDouble(last) - total.applyAsDouble(first)) / seconds)
        : OptionalDouble.empty();
  }
}
