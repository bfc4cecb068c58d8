package io.gcdiag.measures.requests;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.RequestStats;
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
        .or(() -> timeline.requestsOfSpan().flatMap(series -> series.rate(window)))
        .filter(rate -> rate.perSecond() > 0)
        .or(() -> of(timeline));
  }

  /**
   * Whether the rate of windows is known by itself, so that two of them can be compared: the mean
   * of a whole run says nothing of either.
   */
  public static boolean isKnownOverTime(Timeline timeline) {
    return timeline.operator().rate().isPresent() || timeline.requestsOfSpan().isPresent();
  }

  /**
   * How many times the baseline's requests the incident has; 1 if it is not known, or has fewer.
   */
  public static double busier(Incident incident) {
    Timeline timeline = incident.timeline();
    Optional<Rate> now = of(timeline, incident.window());
    Optional<Rate> usual = incident.baseline().flatMap(calm -> of(timeline, calm));
    return now.isPresent() && usual.isPresent()
        ? Math.max(1, now.get().perSecond() / usual.get().perSecond())
        : 1;
  }
}
