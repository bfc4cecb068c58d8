package io.gcdiag.evidence.threads;

import java.util.List;

/**
 * Threads of a dump that wait for each other in a deadlock.
 *
 * @param threads their names, each once; empty if there are none, or none are named
 * @param complete whether the dump would show every deadlock: the JVM looked for them itself, or
 *     the owner of each lock that a thread waits for is known
 */
public record Deadlocks(List<String> threads, boolean complete) {

  /** The JVM looked, and found none. */
  public static final Deadlocks NONE = new Deadlocks(List.of(), true);

  /** Copies the list. */
  public Deadlocks {
    threads = List.copyOf(threads);
  }

  /** Whether there are any. */
  public boolean found() {
    return !threads.isEmpty();
  }
}
