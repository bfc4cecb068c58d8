package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.util.Optional;

/**
 * CPU time of requests that at least doubled while no file counts requests. Either there were more
 * requests, which is harmless while CPUs are free, or each used more CPU time, which delays it by
 * as much and shows in no wait.
 *
 * @param during share of all cores that requests use in the incident, 0 to 1
 * @param before the same in the baseline
 */
public record UncountedRequests(double during, double before) {

  /** Empty if requests are counted, or if the CPU time of requests did not grow that much. */
  public static Optional<UncountedRequests> of(Incident incident) {
    Timeline timeline = incident.timeline();
    boolean counted = timeline.areRequestsMeasured() || timeline.operator().rate().isPresent();
    return counted
        ? Optional.empty()
        : incident
            .baseline()
            .flatMap(baseline -> share(timeline, baseline))
            .flatMap(
                before ->
                    share(timeline, incident.window())
                        .map(during -> new UncountedRequests(during, before)))
            .filter(work -> work.before() < Policy.MAJORITY * work.during())
            .filter(
                work ->
                    (work.during() - work.before()) * MachineLoad.cores(timeline)
                        >= Policy.LEAST_THREADS_FELT);
  }

  private static Optional<Double> share(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window).map(use -> use.jvm() * CoreQueue.users(timeline, window));
  }
}
