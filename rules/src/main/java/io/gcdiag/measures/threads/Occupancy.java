package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Optional;
import java.util.function.Function;

/**
 * How many are in something at a time: how often it happens x how long it lasts (Little's law).
 *
 * @param perSecond how often it happens
 * @param meanSeconds how long it lasts
 */
public record Occupancy(double perSecond, double meanSeconds) {

  /** That of a window in which it happened so often and took so long in all; empty without any. */
  public static Optional<Occupancy> of(long count, double seconds, Window window) {
    return count > 0
        ? Optional.of(new Occupancy(count / window.seconds(), seconds / count))
        : Optional.empty();
  }

  /**
   * The sum of the incident behind that of the baseline, where there is one; empty if the incident
   * has none.
   *
   * @param what happens
   * @param unit what there is so many of at a time
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
