package io.gcdiag.evidence;

import java.util.Optional;

/**
 * A lock that threads wait for in a dump, and what its owner is doing at that instant.
 *
 * @param lock the lock's class
 * @param waiting threads that wait for it, at least 1
 * @param owner the owning thread's name
 * @param doing what the owner itself waits for; empty if it runs
 * @param what the pool, library or lock of that; may be empty
 * @param stack the owner's innermost frame outside the JDK
 */
public record LockOwner(
    String lock, int waiting, String owner, Optional<WaitKind> doing, String what, String stack) {}
