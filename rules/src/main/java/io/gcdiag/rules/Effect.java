package io.gcdiag.rules;

/**
 * Where the time of users' work went. An effect is never a root cause: its time is handed on to
 * whatever caused it.
 */
public enum Effect {
  /** Waiting to borrow a connection. */
  POOL_WAIT("pool-wait", "waiting to borrow a connection"),
  /** Waiting for a database or remote service on a connection in use. */
  DOWNSTREAM_WAIT("downstream-wait", "waiting for a database or remote service"),
  /** Waiting for a monitor or lock. */
  LOCK_WAIT("lock-wait", "waiting for a lock"),
  /** Waiting for file reads and writes. */
  FILE_WAIT("file-wait", "waiting for files"),
  /** Ready to run and waiting for a core. */
  CPU_QUEUE("cpu-queue", "waiting for a core"),
  /** Standing still at a safepoint, or waiting for others to reach it, beside the pauses. */
  SAFEPOINT("safepoint", "stopped at a safepoint beside the collections"),
  /** Standing still in a stop-the-world pause of the collector. */
  STOPPED("stopped", "stopped in a collection");

  private final String id;
  private final String title;

  Effect(String id, String title) {
    this.id = id;
    this.title = title;
  }

  /** The name used in machine-readable output. */
  public String id() {
    return id;
  }

  /** For people; continues "time spent ...". */
  public String title() {
    return title;
  }
}
