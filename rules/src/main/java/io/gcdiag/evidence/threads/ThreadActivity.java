package io.gcdiag.evidence.threads;

/** What a thread in a dump was doing, by its state and stack. */
public enum ThreadActivity {
  /** Waiting to borrow a connection from a pool. */
  WAITING_FOR_POOL,
  /** Holding a connection and waiting for the other side to answer, or talking to it. */
  IN_DOWNSTREAM_CALL,
  /** Waiting for a monitor or lock that another thread owns. */
  WAITING_FOR_LOCK,
  /** Waiting for room in the queue of an asynchronous logger. */
  WAITING_TO_LOG,
  /** Waiting for other direct buffers to be freed. */
  WAITING_FOR_DIRECT_MEMORY,
  /** Reading, writing or forcing a file. */
  IN_FILE,
  /** Waiting for a fixed time to pass: asleep, or until a limiter lets it go on. */
  SLEEPING,
  /** Executing, or ready to. */
  RUNNING,
  /** Waiting for work. */
  IDLE,
  /** Waiting for something else. */
  OTHER
}
