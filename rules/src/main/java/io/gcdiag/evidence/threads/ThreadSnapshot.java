package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Source;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One thread dump.
 *
 * @param at when it was taken, on the timeline's clock; empty if unknown
 * @param lockOwners owners of the locks that threads wait for, as far as the dump shows them
 * @param totals figures of the JVM as a whole; empty if the dump has none
 * @param source where this was read
 */
public record ThreadSnapshot(
    Optional<Instant> at,
    List<ThreadState> threads,
    Deadlocks deadlocks,
    List<LockOwner> lockOwners,
    Optional<DumpTotals> totals,
    Source source) {

  public ThreadSnapshot {
    threads = List.copyOf(threads);
    lockOwners = List.copyOf(lockOwners);
  }

  public List<ThreadState> requestThreads() {
    return threads.stream().filter(ThreadState::requestThread).toList();
  }

  /** Whether any thread is known to serve requests. */
  public boolean showsRequests() {
    return threads.stream().anyMatch(ThreadState::requestThread);
  }

  public long requestsAt(ThreadActivity activity) {
    return threads.stream().filter(thread -> thread.requestThread() && thread.is(activity)).count();
  }

  public long runningRequests() {
    return requestsAt(ThreadActivity.RUNNING);
  }

  public long count(ThreadActivity activity) {
    return threads.stream().filter(thread -> thread.is(activity)).count();
  }

  /** Whether most threads with that activity cannot go on because of a deadlock. */
  public boolean isDeadlocked(ThreadActivity activity) {
    int behind = deadlocks.behind().getOrDefault(activity, 0);
    return behind > 0 && 2 * behind >= count(activity);
  }
}
