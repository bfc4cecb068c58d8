package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.SampledCalls;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * Calls to databases and services that are too short for events but together explain longer
 * requests, for example one call per row. Samples of threads in native calls find them, and a load
 * test has the number of requests.
 *
 * @param during threads in such calls on average in the incident, by samples less events
 * @param before the same in the baseline
 * @param perRequest time per request in these calls beyond the baseline; at most the growth of the
 *     latency
 * @param threshold calls are shorter than this
 * @param shareOfUnaccounted share of the unaccounted time, 0 to 1
 */
public record ShortCalls(
    double during,
    double before,
    Duration perRequest,
    Duration threshold,
    double shareOfUnaccounted) {

  /**
   * Empty if no load test covers baseline and incident, if most calls are long enough for events,
   * if calls hardly grew, or if the machine became full, because calls to a neighbour then include
   * waiting for CPU.
   */
  public static Optional<ShortCalls> of(Incident incident, EffectTimes times) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<RequestExcess> requests = RequestExcess.overTime(incident);
    Optional<Duration> threshold = timeline.threshold(Signal.SOCKET_READS);
    if (requests.filter(excess -> excess.seconds() > 0).isEmpty()
        || threshold.isEmpty()
        || MachineLoad.becameFull(incident)
        || !SampledCalls.areMostHidden(timeline, window)) {
      return Optional.empty();
    }
    double during = SampledCalls.hidden(timeline, window);
    double before = SampledCalls.hidden(timeline, incident.baseline().orElseThrow());
    double more = during - before * RequestRate.busier(incident);
    if (more < Policy.SAMPLES_GOOD_TO * during) {
      return Optional.empty();
    }
    double seconds = Math.min(more * window.seconds(), requests.get().seconds());
    double perRequest = seconds * requests.get().perRequestSeconds() / requests.get().seconds();
    double unaccounted = times.excessSeconds(Effect.UNACCOUNTED);
    return Optional.of(
        new ShortCalls(
            during,
            before,
            Durations.ofSeconds(perRequest),
            threshold.get(),
            unaccounted > 0 ? Math.min(1, seconds / unaccounted) : 0));
  }

  /** Lower bound of the number of sequential calls per request. */
  public long leastCalls() {
    return perRequest.dividedBy(threshold);
  }
}
