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
 * Calls to databases and services that are each too short for events and together are what requests
 * take longer by: one call for each row of a list, say. Samples of threads in native calls meet
 * them, a load test says how many requests they were for.
 *
 * @param during threads in such calls on average in the incident, by samples
 * @param before the same in the baseline
 * @param perRequest what a request spends in them more than in the baseline; no more than requests
 *     took longer by
 * @param threshold calls are shorter than this
 * @param shareOfUnaccounted share of the time that nothing recorded accounts for, 0 to 1
 */
public record ShortCalls(
    double during,
    double before,
    Duration perRequest,
    Duration threshold,
    double shareOfUnaccounted) {

  /**
   * Absent where no load test has baseline and incident, most calls are long enough for events,
   * there are hardly more of them, or the machine became full: a neighbour then waits for CPU.
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
    double during = SampledCalls.threads(timeline, window);
    double before = SampledCalls.threads(timeline, incident.baseline().orElseThrow());
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

  /** At least so many calls one after another make up what a request spends in them. */
  public long leastCalls() {
    return perRequest.dividedBy(threshold);
  }
}
