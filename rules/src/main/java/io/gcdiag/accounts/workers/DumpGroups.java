package io.gcdiag.accounts.workers;

import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.measures.workers.WorkerQueue;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What dumps say of the groups that threads of one name make. */
final class DumpGroups {

  private static final String COMMON_POOL = "ForkJoinPool.commonPool-worker-N";

  /** A thread that runs now and then, such as one that reports metrics, does no request's task. */
  private static final int MOST_RUNNING = 1;

  private DumpGroups() {}

  /**
   * The request threads. Names say so of whole groups, and some of those serve none: a default
   * dispatcher beside the one that blocks, an executor beside event loops, another port's workers.
   * Where one group of request threads is seen at work in any of the dumps, a group that never is
   * takes none of its requests.
   */
  static Predicate<ThreadState> serving(List<ThreadSnapshot> dumps) {
    Set<String> atWork =
        dumps.stream()
            .flatMap(dump -> dump.requestThreads().stream())
            .filter(thread -> !thread.is(ThreadActivity.IDLE))
            .map(thread -> ThreadNames.numbered(thread.name()))
            .collect(Collectors.toSet());
    return thread ->
        thread.requestThread()
            && (atWork.isEmpty() || atWork.contains(ThreadNames.numbered(thread.name())));
  }

  /** Whether any thread is at what others could wait for the end of. */
  static boolean isAnyTaskRun(ThreadSnapshot dump) {
    return dump.threads().stream()
            .anyMatch(thread -> isInCallOrQueue(thread) || thread.is(ThreadActivity.IN_FILE))
        || WorkerQueue.byName(dump).values().stream().anyMatch(DumpGroups::areAsleep)
        || dump.count(ThreadActivity.RUNNING) > MOST_RUNNING;
  }

  /** A thread by itself sleeps between two rounds of its own; several may do so in a task. */
  private static boolean areAsleep(List<ThreadState> group) {
    return group.stream().filter(t -> t.is(ThreadActivity.SLEEPING)).count()
        >= Policy.FEWEST_QUEUED;
  }

  static boolean isInCallOrQueue(ThreadState thread) {
    return thread.is(ThreadActivity.IN_DOWNSTREAM_CALL) || thread.activity().isQueueing();
  }

  /**
   * Whether a group of other threads is in calls to the last in every dump: requests may wait for
   * it where no thread does. Who waits for the JVM's common pool helps with the work, and so looks
   * busy with work of its own.
   */
  static boolean isAnExecutorBusy(List<ThreadSnapshot> dumps) {
    return WorkerQueue.byName(dumps.get(0)).keySet().stream()
        .anyMatch(name -> dumps.stream().allMatch(dump -> isAllInCalls(dump, name)));
  }

  /** Whether any thread computes for users, makes a call, or waits to. */
  static boolean isAnybodyAtWork(ThreadSnapshot dump) {
    return dump.threads().stream()
        .anyMatch(
            thread ->
                thread.is(ThreadActivity.IN_DOWNSTREAM_CALL)
                    || thread.requestThread() && !thread.is(ThreadActivity.IDLE));
  }

  /**
   * Whether the group with most of the request threads has none without work in any dump. A thread
   * of another group that has none (one that accepts connections, or serves another port) is of no
   * help to it.
   */
  static boolean isLargestBusy(List<ThreadSnapshot> dumps) {
    return dumps.stream()
        .allMatch(
            dump ->
                WorkerQueue.byName(dump).values().stream()
                    .max(Comparator.comparingLong(DumpGroups::requests))
                    .filter(group -> requests(group) > 0)
                    .filter(group -> group.stream().noneMatch(t -> t.is(ThreadActivity.IDLE)))
                    .isPresent());
  }

  /**
   * Whether an event loop is in a call, or waits for a lock or a connection: the requests of its
   * connections wait for it, and no other loop takes them, however free it is. A loop without work
   * is in its selector, which a dump shows as running, where a worker parks.
   */
  static boolean isALoopHeldUp(List<ThreadSnapshot> dumps) {
    Set<String> loops = new HashSet<>();
    Set<String> heldUp = new HashSet<>();
    Set<String> workers = new HashSet<>();
    for (ThreadSnapshot dump : dumps) {
      WorkerQueue.byName(dump)
          .forEach(
              (name, threads) ->
                  threads.forEach(
                      thread -> {
                        if (WorkerQueue.isFree(thread)) {
                          workers.add(name);
                        } else if (isResting(thread)) {
                          loops.add(name);
                        } else if (thread.requestThread() && isInCallOrQueue(thread)) {
                          heldUp.add(name);
                        }
                      }));
    }
    loops.removeAll(workers);
    return loops.stream().anyMatch(heldUp::contains);
  }

  private static boolean isResting(ThreadState thread) {
    return thread.requestThread()
        && thread.is(ThreadActivity.IDLE)
        && thread.state().equals("RUNNABLE");
  }

  private static long requests(List<ThreadState> group) {
    return group.stream().filter(ThreadState::requestThread).count();
  }

  private static boolean isAllInCalls(ThreadSnapshot dump, String name) {
    List<ThreadState> threads = WorkerQueue.group(dump, name);
    return threads.size() >= (name.equals(COMMON_POOL) ? 1 : Policy.FEWEST_QUEUED)
        && threads.stream().allMatch(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL));
  }
}
