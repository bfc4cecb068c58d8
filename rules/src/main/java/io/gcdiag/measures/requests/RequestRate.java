package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Rate;
import java.util.Optional;

/** How many requests arrive per second. */
public final class RequestRate {

  private RequestRate() {}

  /** Requests per second, given by the operator or measured by a load generator. */
  public static Optional<Rate> of(Timeline timeline) {
    return timeline
        .operator()
        .rate()
        .or(() -> timeline.mainRequestStats().flatMap(RequestStats::rate))
        .filter(rate -> rate.perSecond() > 0);
  }

  /**
   * Requests per second inside a window if the files have them over time; otherwise the mean of the
   * run.
   */
  public static Optional<Rate> of(Timeline timeline, Window window) {
    return timeline
        .operator()
        .rate()
        .filter(rate -> rate.perSecond() > 0)
        .or(() -> overTime(timeline, window))
        .or(() -> of(timeline));
  }

  /**
   * Requests per second in a window of an incident. The operator's rate applies to the incident;
   * for the baseline only files with rates over time count.
   */
  public static Optional<Rate> of(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    boolean baseline = incident.baseline().filter(window::equals).isPresent();
    return baseline && timeline.operator().rate().isPresent()
        ? overTime(timeline, window)
        : of(timeline, window);
  }

  /** Where files count requests over time. */
  public static Optional<Rate> overTime(Timeline timeline, Window window) {
    return timeline
        .requestsOfSpan()
        .flatMap(series -> series.rate(window))
        .filter(rate -> rate.perSecond() > 0);
  }

  /**
   * Whether the rate of the incident itself is known, so that it can be compared with that of the
   * baseline. The mean of a whole run is the rate of neither.
   */
  public static boolean isKnownOverTime(Timeline timeline) {
    return timeline.operator().rate().isPresent() || timeline.requestsOfSpan().isPresent();
  }

  /**
   * Request rate of the incident as a multiple of the baseline's; 1 if it is unknown or smaller.
   */
  public static double busier(Incident incident) {
    Optional<Rate> now = of(incident, incident.window());
    Optional<Rate> usual = incident.baseline().flatMap(baseline -> of(incident, baseline));
    return now.isPresent() && usual.isPresent()
        ? Math.max(1, now.get().perSecond() / usual.get().perSecond())
        : 1;
  }

  /**
   * Upper bound of the incident's request rate as a multiple of the baseline's; infinite if nothing
   * limits it. If requests are not counted over time, the incident's rate is at most the operator's
   * or that of the whole run, and the baseline's at least the rate of its workers' rounds.
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

  /**
   * The same of requests that call, sleep or use files, which also allocate: where they are not
   * counted, what they allocate elsewhere bounds them.
   *
   * @param grown so many times as often as in the baseline they do it
   */
  public static double busierAtMost(Incident incident, Activity activity, double grown) {
    double counted = busierAtMost(incident);
    return incident.timeline().requestsOfSpan().isPresent()
        ? counted
        : Math.min(
            counted,
            AllocatedElsewhere.of(incident, activity)
                .map(allocated -> allocated.busier(grown))
                .orElse(counted));
  }
}
