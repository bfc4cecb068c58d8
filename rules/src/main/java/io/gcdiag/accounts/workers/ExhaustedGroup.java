package io.gcdiag.accounts.workers;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.workers.WorkerQueue;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A group of worker threads that has no free thread, dump after dump. */
public final class ExhaustedGroup {

  private ExhaustedGroup() {}

  /** The dumps of the incident; all there are if none was taken in it. */
  public static List<ThreadSnapshot> dumps(Incident incident) {
    List<ThreadSnapshot> inside = incident.timeline().dumps(incident.window());
    return inside.isEmpty() ? incident.timeline().dumps() : inside;
  }

  /**
   * Whether a group of request threads has no free thread in any of three dumps or more: fewer may
   * meet such moments by chance in a service that is well.
   */
  public static boolean isNobodyEverFree(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    return dumps.size() >= Policy.RECURRING
        && of(dumps, true)
            .filter(
                name ->
                    dumps.stream()
                        .allMatch(dump -> isExhausted(dump, WorkerQueue.group(dump, name), true)))
            .isPresent();
  }

  /** Name of a group that is busy to the last thread in at least two dumps, and in most of them. */
  public static Optional<String> of(List<ThreadSnapshot> dumps, boolean requests) {
    Map<String, Integer> times = new TreeMap<>();
    for (ThreadSnapshot dump : dumps) {
      WorkerQueue.byName(dump)
          .forEach(
              (name, threads) -> {
                if (isExhausted(dump, threads, requests)) {
                  times.merge(name, 1, Integer::sum);
                }
              });
    }
    return times.entrySet().stream()
        .filter(group -> DumpTimes.areOften(group.getValue(), dumps))
        .map(Map.Entry::getKey)
        .findFirst();
  }

  private static boolean isExhausted(
      ThreadSnapshot dump, List<ThreadState> group, boolean requests) {
    boolean ofRequests = group.stream().allMatch(ThreadState::requestThread);
    boolean working =
        group.size() >= Policy.FEWEST_QUEUED
            && group.stream().noneMatch(thread -> thread.is(ThreadActivity.IDLE))
            && group.stream().anyMatch(ExhaustedGroup::works)
            && group.stream().filter(thread -> thread.activity().isQueueing()).count()
                < Policy.MAJORITY * group.size();
    return working
        && ofRequests == requests
        && (requests || WorkerQueue.isShort(dump.requestsAt(ThreadActivity.OTHER), group.size()));
  }

  private static boolean works(ThreadState thread) {
    return thread.is(ThreadActivity.IN_DOWNSTREAM_CALL) || thread.is(ThreadActivity.RUNNING);
  }
}
