package io.gcdiag.measures.jvm;

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
 * Stop-the-world pauses of the collector in one window; by its meters, where nothing has the pauses
 * themselves.
 *
 * @param count pauses that start in the window
 * @param sum their time together
 * @param longest the longest, by meters at least; zero without pauses
 * @param seconds the window's length; by meters, that from its first scrape to its last
 * @param source where they were read; absent without pauses
 */
public record PauseTotals(
    int count, Duration sum, Duration longest, double seconds, Optional<Source> source) {

  /** Sums up the pauses that start in the window. */
  public static PauseTotals of(Timeline timeline, Window window) {
    return CollectorMeters.of(timeline)
        .flatMap(meters -> meters.totals(window))
        .orElseGet(() -> of(timeline.pauses(window), window.seconds()));
  }

  /** Sums up the given pauses over so many seconds. */
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

  /** Pauses per minute. */
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

  /** That share, calculated. */
  public String shareSum() {
    return "share of time stopped = %s / %s = %s"
        .formatted(
            Durations.format(sum), Durations.format(seconds), new Ratio(shareStopped()).share());
  }
}
