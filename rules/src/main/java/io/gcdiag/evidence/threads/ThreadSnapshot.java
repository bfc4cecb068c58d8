package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Source;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * One thread dump.
 *
 * @param at when it was taken, as far as the clocks can be brought together
 * @param threads all Java threads in it
 * @param deadlocks threads that wait for each other in a deadlock
 * @param lockOwners who owns the locks that threads wait for, as far as the dump shows
 * @param totals what it says of the JVM as a whole; empty if it does not
 * @param source where this was read
 */
public record ThreadSnapshot(
    Optional<Instant> at,
    List<ThreadState> threads,
    Deadlocks deadlocks,
    List<LockOwner> lockOwners,
    Optional<DumpTotals> totals,
    Source source) {

  /** Copies the lists. */
  public ThreadSnapshot {
    threads = List.copyOf(threads);
    lockOwners = List.copyOf(lockOwners);
  }

  /** The threads that serve requests. */
  public List<ThreadState> requestThreads() {
    return threads.stream().filter(ThreadState::requestThread).toList();
  }

  /** Whether any thread is known to serve requests. */
  public boolean showsRequests() {
    return threads.stream().anyMatch(ThreadState::requestThread);
  }

  /** How many threads that serve requests were at that. */
  public long requestsAt(ThreadActivity activity) {
    return threads.stream().filter(thread -> thread.requestThread() && thread.is(activity)).count();
  }

  /** How many threads that serve requests were running. */
  public long runningRequests() {
    return requestsAt(ThreadActivity.RUNNING);
  }

  /** How many threads were at that. */
  public long count(ThreadActivity activity) {
    return threads.stream().filter(thread -> thread.is(activity)).count();
  }
}
