package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UntimedWaits;
import io.gcdiag.policy.Policy;
import java.util.Optional;

/**
 * What a recording may hide of the incident: lost time in waits below the events' thresholds, or
 * waiting for CPU, beyond what the ledger has of it. It is a bound, and booked to no cause. Where a
 * load test says how long requests took, it is no longer needed: what nothing recorded accounts for
 * is then measured ({@link Effect#UNACCOUNTED}).
 *
 * @param during what was not recorded in the incident
 * @param before the same in the baseline, if there is one
 * @param more thread-seconds per second that the incident can have more than the ledger, at most
 */
public record HiddenTime(UntimedWaits during, Optional<UntimedWaits> before, double more) {

  /**
   * Absent where no thread is known to serve requests, or a load test says more: how long the
   * requests of the incident took, or that a whole run lost what was not recorded.
   */
  static Optional<HiddenTime> of(
      Incident incident, Optional<RequestExcess> requests, EffectTimes times) {
    if (requests.isPresent() || times.isRunUnrecorded()) {
      return Optional.empty();
    }
    // No more is hidden than the requests of the whole test can have lost.
    double lost = RequestExcess.mostInRun(incident.timeline());
    double most = Math.max(0, lost - times.totalExcessSeconds()) / incident.window().seconds();
    return UntimedWaits.of(incident.timeline(), incident.window())
        .map(during -> of(incident, during, times, most));
  }

  private static HiddenTime of(
      Incident incident, UntimedWaits during, EffectTimes times, double most) {
    Optional<UntimedWaits> before =
        incident.baseline().flatMap(baseline -> UntimedWaits.of(incident.timeline(), baseline));
    // Both are parts of it that the ledger knows of.
    double booked = times.during(Effect.CPU_QUEUE) + times.during(Effect.THROTTLED);
    double more = Math.max(0, during.moreAtMost(before) - booked);
    return new HiddenTime(during, before, Math.min(most, more));
  }

  /**
   * Whether so much of the request threads' time is in no recorded state that what is recorded does
   * not show how requests fared.
   */
  public boolean isNotable() {
    return more >= Policy.NOTABLE * during.present();
  }
}
