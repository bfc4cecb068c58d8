package io.gcdiag.evidence.threads;

import java.util.List;
import java.util.Map;

/**
 * Threads of a dump that are in a deadlock: each waits for something that only others of them can
 * give, a lock as well as the end of a task.
 *
 * @param threads their names, each once; empty if there are none, or if they have no names
 * @param complete whether the dump would show every deadlock: the JVM searched for them itself, or
 *     the owner of each lock that a thread waits for is known, and nothing else that threads wait
 *     for can be a deadlock
 * @param kind what closes the circle beside locks
 * @param links what they wait for of each other, in words; without a deadlock, what may be one
 * @param behind how many threads cannot go on because of it, they themselves included, by activity
 */
public record Deadlocks(
    List<String> threads,
    boolean complete,
    Kind kind,
    List<String> links,
    Map<ThreadActivity, Integer> behind) {

  /** What threads of a deadlock wait for. */
  public enum Kind {
    /** Monitors and locks of one owner. */
    LOCKS,
    /** The end of tasks that others of them run. */
    TASKS,
    /** Classes that others of them initialize. */
    CLASSES,
    /** A lock that several may hold to read. */
    READERS,
    CONNECTIONS,
    /** Answers that an event loop has to read which waits for one itself. */
    ANSWERS;

    /**
     * Whether a dump shows traces only of who could end the wait: not who runs which task, who
     * reads, who holds a connection, and whose answers a loop reads.
     */
    public boolean inferred() {
      return this != LOCKS && this != CLASSES;
    }
  }

  /** The JVM searched and found none. */
  public static final Deadlocks NONE = new Deadlocks(List.of(), true);

  public Deadlocks {
    threads = List.copyOf(threads);
    links = List.copyOf(links);
    behind = Map.copyOf(behind);
  }

  /** For locks whose names alone are known. */
  public Deadlocks(List<String> threads, boolean complete) {
    this(threads, complete, Kind.LOCKS, List.of(), Map.of());
  }

  public boolean found() {
    return !threads.isEmpty();
  }

  /** Number of threads blocked by it, as far as known. */
  public int stuck() {
    return behind.values().stream().mapToInt(Integer::intValue).sum();
  }
}
