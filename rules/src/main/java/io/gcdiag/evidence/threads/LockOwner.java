package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.jvm.CodePlace;
import java.util.List;
import java.util.Optional;

/**
 * A lock that threads wait for in a dump, and what the thread that keeps them waiting is doing at
 * that instant: the lock's owner, or, where the owner itself waits for another's lock, the one at
 * the end of that chain.
 *
 * @param waiting threads that wait for it, at least 1
 * @param owner the name of the thread that keeps them waiting
 * @param doing what that thread itself waits for; empty if it runs
 * @param what the pool, library or lock of that; may be empty
 * @param through the threads between: the lock's owner first, each waits for a lock of the next,
 *     and the last for one of {@code owner}; empty where that thread owns the lock itself
 * @param held where that thread holds the lock: the frame that entered the monitor, of another lock
 *     the innermost frame in the class that asks for it; empty if neither is known
 */
public record LockOwner(
    int waiting,
    String owner,
    Optional<WaitKind> doing,
    String what,
    List<String> through,
    Optional<CodePlace> held) {

  /** Copies the list. */
  public LockOwner {
    through = List.copyOf(through);
  }
}
