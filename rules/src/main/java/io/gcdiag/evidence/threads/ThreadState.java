package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.threads.ThreadGroupSample.InferredServer;

/**
 * One thread in a dump.
 *
 * @param state the Java state such as {@code TIMED_WAITING}; empty for the JVM's own threads
 * @param activity what it was doing
 * @param subject the pool, library or lock of that activity; may be empty
 * @param requestThread whether its stack or name marks it as one that serves requests
 * @param ofService whether the subject is a client of a service (not of a database), or a pool of
 *     such clients
 * @param standing its position, as far as the dump shows it
 * @param virtual whether it is a virtual thread; their number is not limited by a pool, whatever
 *     their names
 * @param overflow whether it does work that an executor rejected, having no free thread and a full
 *     queue
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

  /** Name of another session's lock in a database that runs inside this JVM. */
  public static final String OF_SESSIONS = "(lock of a row or table)";

  public boolean is(ThreadActivity what) {
    return activity == what;
  }

  /** What it waits for; a lock of a class that says nothing by the code that takes it. */
  public String label() {
    return is(ThreadActivity.WAITING_FOR_LOCK)
        ? new WaitSite(WaitKind.LOCK, subject, requestThread, standing.at()).label()
        : subject;
  }

  /** What it waits for, if that has a name of its own; else empty. */
  public String named() {
    return label().equals(subject) ? subject : "";
  }

  /**
   * Whether it uses a connection: it waits for a response on one, or for another session of a
   * database that runs inside this JVM.
   */
  public boolean isInCall() {
    return activity == ThreadActivity.IN_DOWNSTREAM_CALL
        || activity == ThreadActivity.WAITING_FOR_LOCK && subject.endsWith(OF_SESSIONS);
  }

  /**
   * Whether this thread is in a call of the kind that connections of that pool are for. A client
   * that is built on another one has a name of its own: its calls are made from the very line of
   * the service from which others wait for a connection of that other.
   *
   * @param borrower a thread that waits for a connection of the pool
   */
  public boolean isOwnCallOf(ThreadState borrower) {
    return isInCall()
        && (subject.equals(borrower.subject())
            || InferredServer.isPool(borrower.subject())
            || !ofService && !borrower.ofService()
            || ofService
                && borrower.ofService()
                && standing.own().isPresent()
                && standing.own().equals(borrower.standing.own()));
  }
}
