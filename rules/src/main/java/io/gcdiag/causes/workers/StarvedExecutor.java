package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Asks whether an executor waits for itself: each of its threads stands in a task that waits for
 * another task, and no thread runs one. What they wait for stands in a queue then, behind
 * themselves.
 */
@Judges(value = Hypothesis.THREAD_POOL_EXHAUSTED, needs = Signal.THREAD_DUMPS)
record StarvedExecutor(String id) implements Rule {

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
    return first(starved(dumps, false), found -> DumpTimes.areOften(found.size(), dumps))
        .map(group -> finding(group, dumps.size(), true))
        // One that waits to the last thread in each of the dumps is a lead also where there is but
        // one dump, and a fork-join pool where it waits for futures: a client may complete these.
        .or(
            () ->
                first(starved(dumps, true), found -> found.size() == dumps.size())
                    .map(group -> finding(group, dumps.size(), false)))
        .stream()
        .toList();
  }

  private static Optional<Map.Entry<String, List<ThreadSnapshot>>> first(
      Map<String, List<ThreadSnapshot>> groups, Predicate<List<ThreadSnapshot>> often) {
    return groups.entrySet().stream().filter(group -> often.test(group.getValue())).findFirst();
  }

  /**
   * Groups that wait for tasks to the last thread, by name, with the dumps in which they do and no
   * other thread runs any.
   *
   * @param futures whether a fork-join pool that waits for futures is one of them
   */
  private static Map<String, List<ThreadSnapshot>> starved(
      List<ThreadSnapshot> dumps, boolean futures) {
    return ExhaustedGroup.byGroup(
        dumps.stream().filter(dump -> !ThreadsAtWork.isAnyTaskRun(dump)).toList(),
        (dump, group) ->
            isStarved(group.getValue(), futures && group.getKey().startsWith(FORK_JOIN)));
  }

  private static boolean isStarved(List<ThreadState> group, boolean futures) {
    return group.size() >= Policy.FEWEST_QUEUED
        && group.stream()
            .allMatch(
                one ->
                    !one.requestThread() && (awaits(TASK, one) || futures && awaits(FUTURE, one)));
  }

  private static boolean awaits(String what, ThreadState thread) {
    return thread.is(ThreadActivity.OTHER) && thread.subject().equals(what);
  }

  private Finding finding(
      Map.Entry<String, List<ThreadSnapshot>> starved, int dumps, boolean certain) {
    String name = starved.getKey();
    ThreadSnapshot last = starved.getValue().get(starved.getValue().size() - 1);
    List<ThreadState> group = WorkerQueue.group(last, name);
    String place = group.get(0).standing().at();
    long requests = last.requestsAt(ThreadActivity.OTHER);
    FindingBuilder finding =
        Finding.of(
                id(),
                ("all %s threads %s wait for other tasks in %s of %s%s, and no thread runs one:"
                        + " these %s queued behind them%s")
                    .formatted(
                        group.size(),
                        name,
                        starved.getValue().size(),
                        Numbers.counted(dumps, "dump"),
                        place.isEmpty() ? "" : ", at " + place,
                        certain ? "are" : "may be",
                        requests == 0 ? "" : "; " + requests + " request threads wait as well"))
            .value("workers", group.size())
            .value("dumps", starved.getValue().size())
            .value("requestThreads", requests)
            .from(starved.getValue().stream().map(ThreadSnapshot::source).toList())
            .supports(Hypothesis.THREAD_POOL_EXHAUSTED, certain);
    return certain
        ? finding
            .explains(Hypothesis.THREAD_POOL_EXHAUSTED, Effect.UNACCOUNTED, 1)
            .advises(
                Hypothesis.THREAD_POOL_EXHAUSTED,
                "do not wait in a task of "
                    + name
                    + " for another task of the same executor: give the inner tasks an executor of"
                    + " their own, or combine their results without waiting"
                    + " (CompletableFuture.thenCombine)")
            .build()
        : finding.build();
  }
}
