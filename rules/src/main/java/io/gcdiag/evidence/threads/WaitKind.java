package io.gcdiag.evidence.threads;

/** What a thread waited for, by its stack or by the event that recorded it. */
public enum WaitKind {
  POOL,
  /** The response of a database or a remote service, on a connection in use. */
  DOWNSTREAM,
  /** A monitor or a java.util.concurrent lock. */
  LOCK,
  /** Space in the queue of an asynchronous logger. */
  LOG_QUEUE,
  /** Other direct buffers to be freed, because their limit is reached. */
  DIRECT_MEMORY,
  /** A client that is slow to read its response or to send its request. */
  CLIENT,
  /** File I/O: read, write or fsync. */
  FILE,
  SLEEP,
  /** Anything at all, by a virtual thread that is pinned to its carrier. */
  PINNED,
  /** A concurrent collector that has to free memory. */
  ALLOCATION_STALL,
  /** Something else that is neither idle nor one of the above. */
  OTHER,
  /** Work: an idle worker, a poller, a timer. No request waits. */
  IDLE
}
