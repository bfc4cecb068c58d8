package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Optional;
import java.util.function.Function;

/**
 * Average number in progress: rate times duration (Little's law).
 *
 * @param perSecond how often it happens
 * @param meanSeconds how long it lasts
 */
public record Occupancy(double perSecond, double meanSeconds) {

  /** From the count and total duration in a window; empty without any. */
  public static Optional<Occupancy> of(long count, double seconds, Window window) {
    return count > 0
        ? Optional.of(new Occupancy(count / window.seconds(), seconds / count))
        : Optional.empty();
  }

  /**
   * The product in words, for the incident and, if there is one, the baseline; empty if the
   * incident has none.
   *
   * @param unit unit of the average number in progress
   */
  public static Optional<String> sum(
      Incident incident, Function<Window, Optional<Occupancy>> of, String what, String unit) {
    String before =
        incident
            .baseline()
            .map(of)
            .map(baseline -> baseline.map(Occupancy::text).orElse("none") + " -> ")
            .orElse("");
    return of.apply(incident.window()).map(now -> what + ": " + before + now.text() + " " + unit);
  }

  private String text() {
    return "%s/s x %s = %s"
        .formatted(
            Numbers.threeDigits(perSecond),
            Durations.format(meanSeconds),
            Numbers.threeDigits(perSecond * meanSeconds));
  }
}
