package io.gcdiag.evidence.threads;

import java.util.List;

/**
 * Threads of a dump that are in a deadlock.
 *
 * @param threads their names, each once; empty if there are none, or if they have no names
 * @param complete whether the dump would show every deadlock: the JVM searched for them itself, or
 *     the owner of each lock that a thread waits for is known
 */
public record Deadlocks(List<String> threads, boolean complete) {

  /** The JVM searched and found none. */
  public static final Deadlocks NONE = new Deadlocks(List.of(), true);

  public Deadlocks {
    threads = List.copyOf(threads);
  }

  public boolean found() {
    return !threads.isEmpty();
  }
}
