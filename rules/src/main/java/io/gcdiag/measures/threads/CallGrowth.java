package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.util.Optional;

/**
 * How much more of its time a request spends in calls to databases and services that are each too
 * short for events, by samples of threads in native calls: it makes more of them, or each takes
 * longer.
 *
 * @param during threads in calls on average in the incident, by samples
 * @param before the same in the baseline
 * @param factor so many times as long a request is in calls, at least; 1.5 or more
 * @param threshold calls are shorter than this
 */
public record CallGrowth(double during, double before, double factor, Duration threshold) {

  /**
   * Absent where there is no baseline, where most calls are long enough for events, where there are
   * hardly more of them than requests became more, or the machine became full: a neighbour then
   * waits for CPU. Where no file shows by how much requests became more, it is taken to be as much
   * as they do within minutes.
   */
  public static Optional<CallGrowth> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    Optional<Duration> threshold = timeline.threshold(Signal.SOCKET_READS);
    if (baseline.isEmpty()
        || threshold.isEmpty()
        || MachineLoad.becameFull(incident)
        || !SampledCalls.areMostHidden(timeline, window)) {
      return Optional.empty();
    }
    double during = SampledCalls.threads(timeline, window);
    double before = SampledCalls.threads(timeline, baseline.get());
    double busier =
        timeline.requestsOfSpan().isPresent() ? RequestRate.busier(incident) : DownstreamCalls.JUMP;
    double factor = during / (Math.max(Policy.LEAST_THREADS_FELT, before) * busier);
    return factor >= Policy.CLEARLY_MORE
        ? Optional.of(new CallGrowth(during, before, factor, threshold.get()))
        : Optional.empty();
  }
}
