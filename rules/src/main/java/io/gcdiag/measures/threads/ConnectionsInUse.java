package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CodePlace;
import io.gcdiag.evidence.threads.LockOwner;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which threads of a dump use the connections of a pool that other threads wait for. */
public final class ConnectionsInUse {

  /** Activities of a thread that holds no connection. */
  private static final Set<ThreadActivity> HOLDING_NONE =
      Set.of(ThreadActivity.WAITING_FOR_POOL, ThreadActivity.IDLE);

  private ConnectionsInUse() {}

  /** Whether no thread can hold a connection: all wait for one or are idle. */
  public static boolean noThreadHoldsOne(ThreadSnapshot dump) {
    Predicate<ThreadState> next = next(dump);
    return dump.threads().stream()
        .filter(users(dump))
        .allMatch(
            thread ->
                (HOLDING_NONE.contains(thread.activity()) || next.test(thread))
                    && !thread.standing().holding());
  }

  /** Threads that wait for a connection, also those that wait for a lock to be the next. */
  public static long waiting(ThreadSnapshot dump) {
    Predicate<ThreadState> next = next(dump);
    return dump.threads().stream()
        .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL) || next.test(thread))
        .count();
  }

  /**
   * Threads that wait for a lock whose owner waits for a connection, in the very method in which
   * the owner took the lock, where only such owners ask for connections: they are next to ask.
   */
  public static Predicate<ThreadState> next(ThreadSnapshot dump) {
    List<LockOwner> owners =
        dump.lockOwners().stream()
            .filter(lock -> lock.doing().equals(Optional.of(WaitKind.POOL)))
            .toList();
    Set<String> asking =
        owners.stream()
            .flatMap(lock -> lock.held().stream())
            .map(CodePlace::method)
            .collect(Collectors.toSet());
    if (dump.count(ThreadActivity.WAITING_FOR_POOL) > owners.size()) {
      return thread -> false;
    }
    return thread ->
        thread.is(ThreadActivity.WAITING_FOR_LOCK)
            && thread.standing().own().map(CodePlace::method).filter(asking::contains).isPresent();
  }

  /**
   * Threads that may hold a connection: request threads, and the threads of a group in which some
   * wait for a connection. Tasks that a request hands to an executor borrow on threads that neither
   * name nor frames mark as request threads.
   */
  public static Predicate<ThreadState> users(ThreadSnapshot dump) {
    Set<String> borrowing =
        dump.threads().stream()
            .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL))
            .filter(thread -> thread.virtual() || !thread.name().isBlank())
            .map(thread -> ThreadNames.group(thread.name()))
            .collect(Collectors.toSet());
    return thread -> thread.requestThread() || borrowing.contains(ThreadNames.group(thread.name()));
  }

  /**
   * Threads that use a connection of the pool with the most waiting threads: they are in a call of
   * its kind. A call to a service that is no database uses no database connection, though the
   * caller may hold one.
   */
  public static List<ThreadState> calls(ThreadSnapshot dump) {
    Optional<ThreadState> borrower = borrower(dump);
    return dump.threads().stream()
        .filter(ThreadState::isInCall)
        .filter(users(dump))
        .filter(thread -> borrower.isEmpty() || thread.isOwnCallOf(borrower.get()))
        .toList();
  }

  /** How many connections {@link #calls} and {@link #nested} threads hold. */
  public static long count(ThreadSnapshot dump) {
    return calls(dump).size() + nested(dump);
  }

  /** Share of the connections in use whose threads wait for another session's lock, 0 to 1. */
  public static double shareLocked(Timeline timeline) {
    return timeline.dumps().stream()
        .flatMap(dump -> calls(dump).stream())
        .mapToInt(call -> call.is(ThreadActivity.WAITING_FOR_LOCK) ? 1 : 0)
        .average()
        .orElse(0);
  }

  /** How many threads hold a connection and wait for another one of the same pool. */
  public static long nested(ThreadSnapshot dump) {
    return dump.threads().stream().filter(thread -> thread.standing().holding()).count();
  }

  /**
   * Whether most connections in use are held by threads that wait for a second one. Such a
   * connection is held until another is returned, however short the calls are. In the end all
   * connections of the pool may be held that way.
   */
  public static boolean areMostlyNested(Timeline timeline) {
    long nested = timeline.dumps().stream().mapToLong(ConnectionsInUse::nested).sum();
    long held = timeline.dumps().stream().mapToLong(ConnectionsInUse::count).sum();
    return nested > Policy.MAJORITY * held;
  }

  /** Threads that may hold a connection and are in a call to another host. */
  public static List<ThreadState> elsewhere(ThreadSnapshot dump) {
    Optional<ThreadState> borrower = borrower(dump);
    return dump.threads().stream()
        .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
        .filter(users(dump))
        .filter(thread -> borrower.isPresent() && !thread.isOwnCallOf(borrower.get()))
        .toList();
  }

  /** One of the threads that wait for the pool with the most waiting threads. */
  private static Optional<ThreadState> borrower(ThreadSnapshot dump) {
    List<ThreadState> borrowers =
        dump.threads().stream()
            .filter(thread -> thread.is(ThreadActivity.WAITING_FOR_POOL))
            .toList();
    Map<String, Long> byPool =
        borrowers.stream()
            .collect(Collectors.groupingBy(ThreadState::subject, Collectors.counting()));
    return Ordered.largest(byPool)
        .flatMap(pool -> borrowers.stream().filter(one -> one.subject().equals(pool)).findFirst());
  }
}
