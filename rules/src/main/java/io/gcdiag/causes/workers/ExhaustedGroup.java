package io.gcdiag.causes.workers;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/** Groups of worker threads without a free thread in consecutive dumps. */
public final class ExhaustedGroup {

  private ExhaustedGroup() {}

  /** The dumps of the incident; all dumps if none was taken in it. */
  public static List<ThreadSnapshot> dumps(Incident incident) {
    List<ThreadSnapshot> inside = incident.timeline().dumps(incident.window());
    return inside.isEmpty() ? incident.timeline().dumps() : inside;
  }

  /**
   * Whether a group of request threads has no free thread in any of at least three dumps; with
   * fewer dumps this may be chance in a healthy service.
   */
  public static boolean isNoneEverFree(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    return dumps.size() >= Policy.RECURRING
        && first(dumps, true).filter(group -> group.getValue().size() == dumps.size()).isPresent();
  }

  /** Name of a group whose threads are all busy in at least two dumps and in most of them. */
  static Optional<String> of(List<ThreadSnapshot> dumps, boolean requests) {
    return first(dumps, requests).map(Map.Entry::getKey);
  }

  private static Optional<Map.Entry<String, List<ThreadSnapshot>>> first(
      List<ThreadSnapshot> dumps, boolean requests) {
    return byGroup(dumps, (dump, group) -> isExhausted(dump, group.getValue(), requests))
        .entrySet()
        .stream()
        .filter(group -> DumpTimes.areOften(group.getValue().size(), dumps))
        .findFirst();
  }

  /** For each group, the dumps in which it meets the condition. */
  static Map<String, List<ThreadSnapshot>> byGroup(
      List<ThreadSnapshot> dumps,
      BiPredicate<ThreadSnapshot, Map.Entry<String, List<ThreadState>>> asked) {
    Map<String, List<ThreadSnapshot>> found = new TreeMap<>();
    for (ThreadSnapshot dump : dumps) {
      WorkerQueue.byName(dump).entrySet().stream()
          .filter(group -> asked.test(dump, group))
          .forEach(
              group -> found.computeIfAbsent(group.getKey(), n -> new ArrayList<>()).add(dump));
    }
    return found;
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
