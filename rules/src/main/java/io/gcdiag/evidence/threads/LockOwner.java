package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.jvm.CodePlace;
import java.util.Optional;

/**
 * A lock that threads of a dump wait for, and what the thread that blocks them is doing. That
 * thread is the lock's owner or, if the owner itself waits for a lock, the owner at the end of that
 * chain.
 *
 * @param waiting threads that wait for it, at least 1
 * @param owner the name of the thread that blocks them
 * @param doing what that thread itself waits for; empty if it runs
 * @param what the pool, library or lock of that wait; may be empty
 * @param held where that thread holds the lock: for a monitor the frame that entered it, for
 *     another lock the innermost frame in the class that asks for it; empty if neither is known
 * @param library the same if a library holds it; empty if the service's own code does
 */
public record LockOwner(
    int waiting,
    String owner,
    Optional<WaitKind> doing,
    String what,
    Optional<CodePlace> held,
    Optional<InLibrary> library) {

  /**
   * A lock that a library holds.
   *
   * @param place the library's frame that holds it
   * @param runs the innermost frame of what runs inside
   */
  public record InLibrary(CodePlace place, String runs) {}
}
