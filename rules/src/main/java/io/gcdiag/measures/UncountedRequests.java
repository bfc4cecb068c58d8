package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.util.Optional;

/**
 * Computing for users that is new for the most part, where no file counts requests: more of them,
 * which is no harm while the cores have room, or more CPU time for each, which delays it by as much
 * and is in no wait.
 *
 * @param during share of all cores that work for users takes in the incident, 0 to 1
 * @param before the same in the baseline
 */
public record UncountedRequests(double during, double before) {

  /** Absent if requests are counted, or work for users did not grow so. */
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
