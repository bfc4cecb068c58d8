package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;

/**
 * Stop-the-world GC pauses in one window; from GC metrics if nothing has the pauses themselves.
 *
 * @param count pauses that start in the window
 * @param longest the longest; by metrics a lower bound; zero without pauses
 * @param seconds the window's length; by metrics the time from its first scrape to its last
 * @param source where they were read; empty without pauses
 */
public record PauseTotals(
    int count, Duration sum, Duration longest, double seconds, Optional<Source> source) {

  public static PauseTotals of(Timeline timeline, Window window) {
    return CollectorMeters.of(timeline)
        .flatMap(meters -> meters.totals(window))
        .orElseGet(() -> of(timeline.pauses(window), window.seconds()));
  }

  /** Sums of the given pauses over a number of seconds. */
  public static PauseTotals of(Collection<GcPause> some, double seconds) {
    Pauses pauses = Pauses.of(some);
    Optional<Source> source =
        pauses.stream()
            .findFirst()
            .map(
                pause ->
                    new Source(
                        pause.source().file(),
                        pause.source().place().startsWith("jdk.") ? "jdk.GCPhasePause" : ""));
    return new PauseTotals(pauses.size(), pauses.sum(), pauses.longest(), seconds, source);
  }

  /** Whether the incident is the single pause of a log, and nothing else: it has no rates. */
  public static boolean areOneAlone(Incident incident) {
    return incident.baseline().isEmpty() && of(incident.timeline(), incident.window()).isOneAlone();
  }

  /** Whether the window is one pause and nothing else. */
  boolean isOneAlone() {
    return count == 1 && shareStopped() > 1 - StopCost.LEAST_RUNNING;
  }

  public double countPerMinute() {
    return count / seconds * Durations.SECONDS_PER_MINUTE;
  }

  /** Time stopped per minute. */
  public Duration sumPerMinute() {
    return Durations.ofSeconds(shareStopped() * Durations.SECONDS_PER_MINUTE);
  }

  /** Mean pause in seconds; 0 without pauses. */
  public double meanSeconds() {
    return count == 0 ? 0 : Durations.seconds(sum) / count;
  }

  /** Share of the time in which the application was stopped, 0 to 1. */
  public double shareStopped() {
    return Math.min(1, Durations.seconds(sum) / seconds);
  }

  /** The calculation of that share in words. */
  public String shareSum() {
    return "share of time stopped = %s / %s = %s"
        .formatted(
            Durations.format(sum), Durations.format(seconds), new Ratio(shareStopped()).share());
  }
}
