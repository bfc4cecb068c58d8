package io.gcdiag.evidence.threads;

/** What a thread waited for, by its stack or by the event that recorded it. */
public enum WaitKind {
  POOL("waiting for a connection", "for a connection"),
  /** The response of a database or a remote service, on a connection in use. */
  DOWNSTREAM("in a call", "for a downstream call"),
  /** A monitor or a java.util.concurrent lock. */
  LOCK("waiting for a lock", "for a lock"),
  /** Space in the queue of an asynchronous logger. */
  LOG_QUEUE("waiting for a log queue", "for a log queue"),
  /** Other direct buffers to be freed, because their limit is reached. */
  DIRECT_MEMORY("waiting for direct memory", "for direct memory"),
  /** A client that is slow to read its response or to send its request. */
  CLIENT("waiting for a client", "for a client"),
  /** File I/O: read, write or fsync. */
  FILE("in file I/O", "for file I/O"),
  SLEEP("sleeping", "sleeping"),
  /** Anything at all, by a virtual thread that is pinned to its carrier. */
  PINNED("waiting", "pinned to a carrier"),
  /** A concurrent collector that has to free memory. */
  ALLOCATION_STALL("waiting", "for the collector"),
  /** Something else that is neither idle nor one of the above. */
  OTHER("waiting", "for a latch or condition"),
  /** Work: an idle worker, a poller, a timer. No request waits. */
  IDLE("waiting", "");

  private final String doing;
  private final String title;

  WaitKind(String doing, String title) {
    this.doing = doing;
    this.title = title;
  }

  /** What a thread does. */
  public String doing() {
    return doing;
  }

  /** What users wait for; empty if they do not. */
  public String title() {
    return title;
  }
}
