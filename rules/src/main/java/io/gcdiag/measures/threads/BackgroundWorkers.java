package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * Worker threads of a process that serves hardly any requests, such as one that takes jobs from a
 * table or a queue. If they were idle for part of the baseline and are never idle in the incident,
 * jobs arrive faster than they are done and wait in that queue, where no thread shows the delay.
 */
public final class BackgroundWorkers {

  private BackgroundWorkers() {}

  /**
   * The group that has no free thread any more. Empty in any of these cases: there is no baseline;
   * a load test or request metrics show directly whether requests wait; calls became slower or the
   * CPUs are full, so that more threads would not help; most of the threads wait for a lock or a
   * connection.
   */
  public static Optional<OccupiedWorkers> neverFree(Incident incident) {
    return neverFree(incident, OccupiedWorkers.of(incident));
  }

  /**
   * The same for a single thread without others of its kind. Either all work of some kind passes
   * through it, or it polls.
   */
  public static Optional<OccupiedWorkers> aloneNeverFree(Incident incident) {
    return neverFree(incident, OccupiedWorkers.alone(incident));
  }

  private static Optional<OccupiedWorkers> neverFree(
      Incident incident, List<OccupiedWorkers> groups) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<Window> baseline = incident.baseline();
    if (baseline.isEmpty()
        || timeline.areRequestsMeasured()
        || DownstreamCalls.inflation(incident) > 1) {
      return Optional.empty();
    }
    double serving = serving(timeline, window);
    boolean full = MachineLoad.isFull(timeline, window);
    return groups.stream()
        .filter(group -> !group.serving() && serving < Policy.NOTABLE * group.occupied())
        .filter(group -> group.isByWork(full))
        .filter(group -> rested(timeline, baseline.get(), group.group()) >= Policy.NOTABLE)
        .findFirst();
  }

  /** Request threads that are at work, on average. */
  static double serving(Timeline timeline, Window window) {
    return OccupiedStretch.byGroup(timeline, window).values().stream()
        .filter(group -> group.get(0).serving())
        .mapToDouble(group -> group.stream().mapToDouble(OccupiedStretch::busy).average().orElse(0))
        .sum();
  }

  /** Share of their time in which the threads of a group were parked without work, 0 to 1. */
  public static double rested(Timeline timeline, Window window, String group) {
    return OccupiedStretch.byGroup(timeline, window).getOrDefault(group, List.of()).stream()
        .filter(stretch -> stretch.workers() > 0)
        .mapToDouble(stretch -> stretch.idle() / stretch.workers())
        .average()
        .orElse(0);
  }
}
