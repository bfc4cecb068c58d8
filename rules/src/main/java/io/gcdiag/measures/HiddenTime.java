package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UntimedWaits;
import io.gcdiag.policy.Policy;
import java.util.Optional;

/**
 * Lost time that a recording may hide: waits below the events' thresholds, or waiting for CPU,
 * beyond what the ledger has. It is an upper bound and is attributed to no cause. A load test with
 * latencies makes it unnecessary, because unaccounted time is then measured ({@link
 * Effect#UNACCOUNTED}).
 *
 * @param during what was not recorded in the incident
 * @param before the same in the baseline, if there is one
 * @param more upper bound of the incident's lost time beyond the ledger, in thread-seconds per
 *     second
 */
public record HiddenTime(UntimedWaits during, Optional<UntimedWaits> before, double more) {

  /**
   * Empty if no thread is known to serve requests, or if a load test shows more: the latencies of
   * the incident, or that a whole run lost time that was not recorded.
   */
  static Optional<HiddenTime> of(
      Incident incident, Optional<RequestExcess> requests, EffectTimes times) {
    if (requests.isPresent() || times.isRunUnrecorded()) {
      return Optional.empty();
    }
    // The requests of the whole test cannot have lost more than this.
    double lost = RequestExcess.mostInRun(incident.timeline());
    double most = Math.max(0, lost - times.totalExcessSeconds()) / incident.window().seconds();
    return UntimedWaits.of(incident.timeline(), incident.window())
        .map(during -> of(incident, during, times, most));
  }

  private static HiddenTime of(
      Incident incident, UntimedWaits during, EffectTimes times, double most) {
    Optional<UntimedWaits> before =
        incident.baseline().flatMap(baseline -> UntimedWaits.of(incident.timeline(), baseline));
    // The ledger already has these two parts of it.
    double booked = times.during(Effect.CPU_QUEUE) + times.during(Effect.THROTTLED);
    double more = Math.max(0, during.moreAtMost(before) - booked);
    return new HiddenTime(during, before, Math.min(most, more));
  }

  /**
   * Whether so much of the request threads' time is in no recorded state that the recording does
   * not show the user impact.
   */
  public boolean isNotable() {
    return more >= Policy.NOTABLE * during.present();
  }
}
