package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;

/**
 * One thread in a dump.
 *
 * @param name the thread's name
 * @param state the Java state such as {@code TIMED_WAITING}; empty for the JVM's own threads
 * @param activity what it was doing
 * @param subject the pool, library or lock of that activity; may be empty
 * @param requestThread whether its stack or name marks it as one that serves requests
 * @param ofService whether the subject is a client of a service that is no database, or a pool of
 *     such clients
 * @param standing where it stands, as far as the dump shows
 * @param virtual whether it is a virtual thread: of these there are as many as are wanted, whatever
 *     they are named
 * @param overflow whether it is at work that an executor has neither a thread nor room for
 */
public record ThreadState(
    String name,
    String state,
    ThreadActivity activity,
    String subject,
    boolean requestThread,
    boolean ofService,
    ThreadPosition standing,
    boolean virtual,
    boolean overflow) {

  /** What the lock of another session is called in a database that is part of this JVM. */
  private static final String OF_SESSIONS = "(lock of a row or table)";

  /** Whether that is what it was doing. */
  public boolean is(ThreadActivity what) {
    return activity == what;
  }

  /**
   * Whether it uses a connection: it waits for an answer on one, or inside a database of this JVM
   * for another session.
   */
  public boolean isInCall() {
    return activity == ThreadActivity.IN_DOWNSTREAM_CALL
        || activity == ThreadActivity.WAITING_FOR_LOCK && subject.endsWith(OF_SESSIONS);
  }

  /**
   * Whether this thread, in a call, is at what connections of that pool are there for.
   *
   * @param borrower a thread that waits for a connection of the pool
   */
  public boolean isOwnCallOf(ThreadState borrower) {
    return isInCall()
        && (subject.equals(borrower.subject())
            || InferredServer.isPool(borrower.subject())
            || !ofService && !borrower.ofService());
  }
}
