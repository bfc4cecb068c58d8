package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadNames;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.policy.Policy;
import io.gcdiag.stats.Ordered;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Which threads of a dump put the connections of a pool to work that others wait for. */
public final class ConnectionsInUse {

  /** What threads are at that hold no connection. */
  private static final Set<ThreadActivity> HOLDING_NONE =
      Set.of(ThreadActivity.WAITING_FOR_POOL, ThreadActivity.IDLE);

  private ConnectionsInUse() {}

  /** Whether none of these threads could hold a connection: all wait for one or have no work. */
  public static boolean noThreadHoldsOne(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(users(dump))
        .allMatch(
            thread -> HOLDING_NONE.contains(thread.activity()) && !thread.standing().holding());
  }

  /**
   * Threads that may hold a connection: those that serve requests, and those of a group of which
   * some wait for one. What a request hands to an executor borrows on threads that no name and no
   * frame marks as those of requests.
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
   * Such threads in a call that a connection of the pool with most borrowers is there for. A call
   * to a service that is no database does not put a connection to a database to work, though its
   * caller may hold one.
   */
  public static List<ThreadState> calls(ThreadSnapshot dump) {
    Optional<ThreadState> borrower = borrower(dump);
    return dump.threads().stream()
        .filter(users(dump))
        .filter(ThreadState::isInCall)
        .filter(thread -> borrower.isEmpty() || thread.isOwnCallOf(borrower.get()))
        .toList();
  }

  /** How many connections {@link #calls} and {@link #nested} threads hold. */
  public static long count(ThreadSnapshot dump) {
    return calls(dump).size() + nested(dump);
  }

  /**
   * How much of the connections that dumps find in use are in use by threads that wait for another
   * session's lock, 0 to 1: however many there are, they are all held for as long.
   */
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
   * Whether most connections that dumps find in use are of threads that wait for a second one.
   * However short the calls on them are, such a connection is held until another is returned: every
   * one that the pool has may be.
   */
  public static boolean areMostlyNested(Timeline timeline) {
    long nested = timeline.dumps().stream().mapToLong(ConnectionsInUse::nested).sum();
    long held = timeline.dumps().stream().mapToLong(ConnectionsInUse::count).sum();
    return nested > Policy.MAJORITY * held;
  }

  /** Such threads in calls to other hosts meanwhile, and the hosts that most of them call. */
  public static List<ThreadState> elsewhere(ThreadSnapshot dump) {
    Optional<ThreadState> borrower = borrower(dump);
    return dump.threads().stream()
        .filter(users(dump))
        .filter(thread -> thread.is(ThreadActivity.IN_DOWNSTREAM_CALL))
        .filter(thread -> borrower.isPresent() && !thread.isOwnCallOf(borrower.get()))
        .toList();
  }

  /** One of those who wait for a connection of the pool that most wait for. */
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
