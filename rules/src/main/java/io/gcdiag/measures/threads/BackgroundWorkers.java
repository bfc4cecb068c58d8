package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * Threads that do the work of a process which serves next to no requests, such as one that takes
 * jobs from a table or a queue: where they rested for a part of the baseline and never do in the
 * incident, jobs come faster than they are done, and wait where no thread is delayed.
 */
public final class BackgroundWorkers {

  private BackgroundWorkers() {}

  /**
   * The group that has no free thread any more; absent without a baseline, with a load test or
   * metrics of requests (which tell whether any request waits), where calls became slower or the
   * cores are full (more threads would do no more then), and where most wait for a lock or a
   * connection.
   */
  public static Optional<OccupiedWorkers> neverFree(Incident incident) {
    return neverFree(incident, OccupiedWorkers.of(incident));
  }

  /**
   * The same of a thread that has no other of its kind: all work of some kind may go through it, or
   * it may poll for itself.
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

  /** Share of their time that the threads of a group parked without work, 0 to 1. */
  public static double rested(Timeline timeline, Window window, String group) {
    return OccupiedStretch.byGroup(timeline, window).getOrDefault(group, List.of()).stream()
        .filter(stretch -> stretch.workers() > 0)
        .mapToDouble(stretch -> stretch.idle() / stretch.workers())
        .average()
        .orElse(0);
  }
}
