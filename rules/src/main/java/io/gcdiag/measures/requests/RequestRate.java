package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Rate;
import java.util.Optional;

/** How many requests arrive per second. */
public final class RequestRate {

  private RequestRate() {}

  /** Requests per second, as said by the operator or measured by a load generator. */
  public static Optional<Rate> of(Timeline timeline) {
    return timeline
        .operator()
        .rate()
        .or(() -> timeline.mainRequestStats().flatMap(RequestStats::rate))
        .filter(rate -> rate.perSecond() > 0);
  }

  /** Requests per second inside a window, where the files say it over time; else of all of them. */
  public static Optional<Rate> of(Timeline timeline, Window window) {
    return timeline
        .operator()
        .rate()
        .filter(rate -> rate.perSecond() > 0)
        .or(() -> overTime(timeline, window))
        .or(() -> of(timeline));
  }

  /**
   * The same of a window of an incident. What the operator says is of the incident: by it nothing
   * is known of the baseline, of which only files that say it over time tell.
   */
  public static Optional<Rate> of(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    boolean baseline = incident.baseline().filter(window::equals).isPresent();
    return baseline && timeline.operator().rate().isPresent()
        ? overTime(timeline, window)
        : of(timeline, window);
  }

  private static Optional<Rate> overTime(Timeline timeline, Window window) {
    return timeline
        .requestsOfSpan()
        .flatMap(series -> series.rate(window))
        .filter(rate -> rate.perSecond() > 0);
  }

  /**
   * Whether the rate of the incident is known by itself, so that it can be compared with that of
   * the baseline, where there is one: the mean of a whole run says nothing of either.
   */
  public static boolean isKnownOverTime(Timeline timeline) {
    return timeline.operator().rate().isPresent() || timeline.requestsOfSpan().isPresent();
  }

  /**
   * How many times the baseline's requests the incident has; 1 if it is not known, or has fewer.
   */
  public static double busier(Incident incident) {
    Optional<Rate> now = of(incident, incident.window());
    Optional<Rate> usual = incident.baseline().flatMap(baseline -> of(incident, baseline));
    return now.isPresent() && usual.isPresent()
        ? Math.max(1, now.get().perSecond() / usual.get().perSecond())
        : 1;
  }

  /**
   * How many times the baseline's requests the incident can have; infinite if nothing bounds it.
   * Where requests are not counted over time, the incident has no more than the operator says, or
   * than the whole run, and the baseline no fewer than its workers had rounds of work.
   */
  public static double busierAtMost(Incident incident) {
    Timeline timeline = incident.timeline();
    if (incident.baseline().isEmpty()) {
      return Double.POSITIVE_INFINITY;
    }
    if (overTime(timeline, incident.baseline().get()).isPresent()) {
      return busier(incident);
    }
    double seconds = incident.window().seconds();
    double most =
        timeline
            .operator()
            .rate()
            .map(Rate::perSecond)
            .or(
                () ->
                    timeline
                        .mainRequestStats()
                        .filter(run -> run.requests().isPresent())
                        .map(run -> run.requests().getAsLong() / seconds))
            .orElse(Double.POSITIVE_INFINITY);
    double rounds = ServedRequests.roundsPerSecond(timeline, incident.baseline().get());
    return rounds > 0 ? Math.max(1, most / rounds) : Double.POSITIVE_INFINITY;
  }
}
