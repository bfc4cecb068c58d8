package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.workers.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Asks whether an executor waits for itself: each of its threads stands in a task that waits for
 * another task, and no thread runs one. What they wait for stands in a queue then, behind
 * themselves.
 */
@Judges(value = Hypothesis.THREAD_POOL_EXHAUSTED, needs = Signal.THREAD_DUMPS)
public final class StarvedExecutorRule implements Rule {

  /**
   * What {@code ExecutorService.submit} returns (AbstractExecutorService.newTaskFor): only a thread
   * of an executor can complete it. Other futures are completed by clients that have no thread.
   */
  private static final String TASK = "java.util.concurrent.FutureTask";

  /** What tasks of a fork-join pool wait for, which another task or a client completes. */
  private static final String FUTURE = "java.util.concurrent.CompletableFuture$Signaller";

  private static final String FORK_JOIN = "ForkJoinPool";

  @Override
  public List<Finding> examine(Case incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    Map<String, List<ThreadSnapshot>> starved = new TreeMap<>();
    for (ThreadSnapshot dump : dumps) {
      starved(dump)
          .forEach(name -> starved.computeIfAbsent(name, any -> new ArrayList<>()).add(dump));
    }
    Optional<Map.Entry<String, List<ThreadSnapshot>>> found =
        starved.entrySet().stream()
            .filter(group -> DumpTimes.areOften(group.getValue().size(), dumps))
            .findFirst();
    return found
        .map(group -> List.of(finding(group.getKey(), group.getValue(), dumps.size())))
        .orElseGet(() -> leads(dumps));
  }

  /**
   * An executor that waits to the last thread in each of the dumps is a lead also where there is
   * but one dump, and a fork-join pool where it waits for futures: a client may complete these as
   * well as a task.
   */
  private List<Finding> leads(List<ThreadSnapshot> dumps) {
    if (dumps.isEmpty() || dumps.stream().anyMatch(DumpGroups::isAnyTaskRun)) {
      return List.of();
    }
    ThreadSnapshot last = dumps.get(dumps.size() - 1);
    return WorkerQueue.byName(last).entrySet().stream()
        .filter(group -> group.getValue().size() >= Policy.FEWEST_QUEUED)
        .filter(group -> dumps.stream().allMatch(dump -> mayStarve(dump, group.getKey())))
        .map(group -> lead(group.getKey(), group.getValue(), dumps))
        .limit(1)
        .toList();
  }

  private static boolean mayStarve(ThreadSnapshot dump, String name) {
    List<ThreadState> group = WorkerQueue.group(dump, name);
    return !group.isEmpty()
        && group.stream()
            .allMatch(
                one ->
                    !one.requestThread()
                        && (awaits(TASK, one)
                            || name.startsWith(FORK_JOIN) && awaits(FUTURE, one)));
  }

  private Finding lead(String name, List<ThreadState> group, List<ThreadSnapshot> dumps) {
    return Finding.of(
            id(),
            ("all %s threads %s wait for other tasks in %s, and no thread runs one: these"
                    + " may be queued behind them")
                .formatted(group.size(), name, Numbers.counted(dumps.size(), "dump")))
        .value("workers", group.size())
        .value("dumps", dumps.size())
        .from(dumps.stream().map(ThreadSnapshot::source).toList())
        .supports(Hypothesis.THREAD_POOL_EXHAUSTED)
        .build();
  }

  /** Groups that wait for tasks to the last thread, in a dump in which no other thread runs any. */
  private static List<String> starved(ThreadSnapshot dump) {
    return DumpGroups.isAnyTaskRun(dump)
        ? List.of()
        : WorkerQueue.byName(dump).entrySet().stream()
            .filter(group -> group.getValue().size() >= Policy.FEWEST_QUEUED)
            .filter(group -> group.getValue().stream().noneMatch(ThreadState::requestThread))
            .filter(group -> group.getValue().stream().allMatch(one -> awaits(TASK, one)))
            .map(Map.Entry::getKey)
            .toList();
  }

  private static boolean awaits(String what, ThreadState thread) {
    return thread.is(ThreadActivity.OTHER) && thread.subject().equals(what);
  }

  private Finding finding(String name, List<ThreadSnapshot> starved, int dumps) {
    ThreadSnapshot last = starved.get(starved.size() - 1);
    List<ThreadState> group = WorkerQueue.group(last, name);
    String place = group.get(0).standing().at();
    long requests = last.requestsAt(ThreadActivity.OTHER);
    return Finding.of(
            id(),
            ("all %s threads %s wait for other tasks in %s of %s dumps%s, and no thread"
                    + " runs one: the tasks they wait for are queued behind them%s")
                .formatted(
                    group.size(),
                    name,
                    starved.size(),
                    dumps,
                    place.isEmpty() ? "" : ", at " + place,
                    requests == 0 ? "" : "; " + requests + " request threads wait as well"))
        .value("workers", group.size())
        .value("dumps", starved.size())
        .value("requestThreads", requests)
        .from(starved.stream().map(ThreadSnapshot::source).toList())
        .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, 1)
        .warns(Hypothesis.THREAD_POOL_EXHAUSTED)
        .advises(
            Hypothesis.THREAD_POOL_EXHAUSTED,
            "do not wait in a task of "
                + name
                + " for another task of the same executor: give the inner tasks an executor of"
                + " their own, or combine their results without waiting"
                + " (CompletableFuture.thenCombine)")
        .build();
  }
}
