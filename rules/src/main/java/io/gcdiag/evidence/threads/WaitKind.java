package io.gcdiag.evidence.threads;

/** What a thread was waiting for, by its stack or by the event that recorded it. */
public enum WaitKind {
  /** To borrow a connection from a pool. */
  POOL,
  /** For a database or a remote service to answer, on a connection in use. */
  DOWNSTREAM,
  /** For a monitor or a java.util.concurrent lock. */
  LOCK,
  /** For room in the queue of an asynchronous logger. */
  LOG_QUEUE,
  /** For other direct buffers to be freed, as all of these are at their limit. */
  DIRECT_MEMORY,
  /** For a client to read more of its response, or to send more of its request. */
  CLIENT,
  /** For a file read, write or force. */
  FILE,
  /** For a fixed time to pass. */
  SLEEP,
  /** For anything at all, as a virtual thread that keeps its carrier meanwhile. */
  PINNED,
  /** For a concurrent collector to free memory. */
  ALLOCATION_STALL,
  /** Something else that is neither idle nor one of the above. */
  OTHER,
  /** For work: an idle worker, a poller, a timer. No request waits. */
  IDLE
}
