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
 * By how much the time per request in calls grew, for calls to databases and services that are each
 * too short for events. Samples of threads in native calls measure it. A request either makes more
 * calls, or each takes longer.
 *
 * @param during threads in calls on average in the incident, by samples
 * @param before the same in the baseline
 * @param factor growth of the time in calls per request, a lower bound; 1.5 or more
 * @param threshold calls are shorter than this
 */
public record CallGrowth(double during, double before, double factor, Duration threshold) {

  /**
   * Empty if there is no baseline, if most calls are long enough for events, if calls grew hardly
   * more than the request rate, or if the machine became full, because calls to a neighbour then
   * include waiting for CPU. If no file shows the growth of the request rate, the largest growth
   * that is usual within minutes is assumed.
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

  /**
   * Threads in calls that no event shows, on average, if these calls grew by more than requests can
   * have ({@link #of}); otherwise 0. Also 0 where a load test shows how much longer requests take,
   * because that includes the time in such calls.
   */
  public static double hidden(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    return timeline.requestsOfSpan().isPresent() || of(incident).isEmpty()
        ? 0
        : SampledCalls.hidden(timeline, window);
  }
}
