package io.gcdiag.figures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.SecondReading;
import io.gcdiag.evidence.time.SecondReading.Totals;
import io.gcdiag.figures.CrossCheck.Agreement;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What two programs read in the same log. */
final class ReadingChecks {

  /** Both read the same digits; a sum of them differs by what conversions round. */
  private static final Duration ROUNDING = Duration.ofMillis(1);

  private ReadingChecks() {}

  static List<CrossCheck> of(Timeline timeline) {
    List<CrossCheck> checks = new ArrayList<>();
    for (SecondReading reading : timeline.secondReadings()) {
      String part = reading.part().isEmpty() ? "" : " (" + reading.part() + ")";
      Totals own = reading.own();
      Totals other = reading.other();
      checks.add(
          new CrossCheck(
              "pauses in the log" + part,
              reading.file(),
              own.count(),
              reading.reader(),
              other.count(),
              pauses(own.count(), other.count()),
              Agreement.of(own.count() == other.count()),
              "the same number"));
      checks.add(time("time stopped in GC pauses" + part, reading, own.sum(), other.sum()));
      checks.add(time("longest GC pause" + part, reading, own.longest(), other.longest()));
    }
    return checks;
  }

  /** {@code 37 pauses in both}, or both numbers where they differ. */
  static String pauses(long one, long other) {
    String pauses = Math.max(one, other) == 1 ? " pause" : " pauses";
    return one == other ? one + pauses + " in both" : one + " and " + other + pauses;
  }

  private static CrossCheck time(String fact, SecondReading reading, Duration own, Duration other) {
    return new CrossCheck(
        fact + ", in seconds",
        reading.file(),
        Durations.seconds(own),
        reading.reader(),
        Durations.seconds(other),
        Durations.format(own) + " and " + Durations.format(other),
        Agreement.of(own.minus(other).abs().compareTo(ROUNDING) <= 0),
        "within 1 ms");
  }
}
