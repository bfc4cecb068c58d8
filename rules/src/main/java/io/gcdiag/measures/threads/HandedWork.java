package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.VirtualThreadUse;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Threads that a server gives its requests to: a handler on an event loop puts the work into an
 * executor's queue and is free, and the thread that has the answer sends it. No frame says that
 * such threads serve requests, and no thread waits for them. What remains is that they are the ones
 * at work: all of them, since the incident began, while the server's own rest.
 */
final class HandedWork {

  /** Fewer of the server's own at work than this, on average, take requests in and send answers. */
  private static final double FEWEST_SERVING = 1;

  private HandedWork() {}

  /** The largest of the groups at work, if it does the requests' work; by dumps. */
  static Optional<DumpedWorkers> to(
      Incident incident, List<ThreadSnapshot> dumps, List<DumpedWorkers> busy) {
    double serving = dumps.stream().mapToLong(HandedWork::serving).average().orElse(0);
    return isServerAtRest(incident, serving)
        ? busy.stream()
            .max(Comparator.comparingInt(DumpedWorkers::size))
            .filter(group -> beganToWork(incident, group.name()))
        : Optional.empty();
  }

  /** The same by a recording. */
  static Optional<OccupiedWorkers> to(Incident incident, List<OccupiedWorkers> busy) {
    double serving = BackgroundWorkers.serving(incident.timeline(), incident.window());
    return isServerAtRest(incident, serving)
        ? busy.stream()
            .max(Comparator.comparingInt(OccupiedWorkers::workers))
            .filter(group -> beganToWork(incident, group.group()))
        : Optional.empty();
  }

  private static long serving(ThreadSnapshot dump) {
    return dump.requestThreads().size() - dump.requestsAt(ThreadActivity.IDLE);
  }

  /** Of virtual request threads most are in no dump and no sample. */
  private static boolean isServerAtRest(Incident incident, double serving) {
    return serving < FEWEST_SERVING
        && incident.timeline().samples(VirtualThreadUse.class).isEmpty();
  }

  /**
   * Whether they rested in the baseline; true if nothing shows it. Threads that were at work all
   * along do work of their own.
   */
  private static boolean beganToWork(Incident incident, String group) {
    Timeline timeline = incident.timeline();
    Optional<Window> baseline = incident.baseline();
    return baseline.isEmpty()
        || !timeline.sees(Signal.THREAD_PARKS)
        || BackgroundWorkers.rested(timeline, baseline.get(), group) >= Policy.NOTABLE;
  }
}
