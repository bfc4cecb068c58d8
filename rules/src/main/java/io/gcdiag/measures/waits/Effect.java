package io.gcdiag.measures.waits;

import io.gcdiag.evidence.waits.WaitKind;
import java.util.Optional;

/**
 * Where the time of requests went. An effect is never a root cause: its time is handed on to
 * whatever caused it.
 */
public enum Effect {
  /** Waiting for a free worker thread: in a server's or an executor's queue. */
  WORKER_WAIT("worker-wait", "waiting for a free worker thread"),
  /** Waiting to borrow a connection. */
  POOL_WAIT("pool-wait", "waiting for a connection", WaitKind.POOL),
  /** Waiting for a monitor or lock. */
  LOCK_WAIT("lock-wait", "waiting for a lock", WaitKind.LOCK),
  /** Waiting for room in the queue of an asynchronous logger. */
  LOG_WAIT("log-wait", "waiting for room in a log queue", WaitKind.LOG_QUEUE),
  /** Waiting for other direct buffers to be freed. */
  DIRECT_MEMORY_WAIT(
      "direct-memory-wait", "waiting for direct buffer memory", WaitKind.DIRECT_MEMORY),
  /** Waiting for a database or remote service on a connection in use. */
  DOWNSTREAM_WAIT("downstream-wait", "waiting for a downstream call", WaitKind.DOWNSTREAM),
  /** Waiting for a client to read its response or to send its request. */
  CLIENT_WAIT("client-wait", "waiting for a slow client", WaitKind.CLIENT),
  /** Waiting for file reads, writes and forces. */
  FILE_WAIT("file-wait", "waiting for file I/O", WaitKind.FILE),
  /** Waiting for what no other effect covers: a latch, a condition, a child process. */
  OTHER_WAIT("other-wait", "waiting for a latch, a condition or a process", WaitKind.OTHER),
  /** Sleeping for a fixed time. */
  SLEEP("sleep", "sleeping", WaitKind.SLEEP),
  /** A virtual thread that keeps its carrier while it blocks. */
  PINNED("pinned", "blocked while pinned to a carrier thread", WaitKind.PINNED),
  /** Computing on a core. */
  RUNNING("running", "computing"),
  /** Ready to run and waiting for CPU. */
  CPU_QUEUE("cpu-queue", "waiting for CPU"),
  /** Stopped by the quota of a container. */
  THROTTLED("throttled", "stopped by a CPU quota"),
  /** Waiting for a concurrent collector to free memory. */
  ALLOCATION_STALL(
      "allocation-stall", "waiting for the collector to free memory", WaitKind.ALLOCATION_STALL),
  /** Stopped at a safepoint, or waiting for others to reach it, beside the pauses. */
  SAFEPOINT("safepoint", "stopped in a non-GC safepoint"),
  /** Stopped in a stop-the-world pause of the collector. */
  STOPPED("stopped", "stopped in a GC pause"),
  /** In requests that took longer, where nothing recorded says. */
  UNACCOUNTED("unaccounted", "elsewhere, where nothing was recorded");

  private final String id;
  private final String title;
  private final Optional<WaitKind> waitsFor;

  Effect(String id, String title) {
    this(id, title, Optional.empty());
  }

  Effect(String id, String title, WaitKind waitsFor) {
    this(id, title, Optional.of(waitsFor));
  }

  Effect(String id, String title, Optional<WaitKind> waitsFor) {
    this.id = id;
    this.title = title;
    this.waitsFor = waitsFor;
  }

  /** The name used in machine-readable output. */
  public String id() {
    return id;
  }

  /** For people; continues "time spent ...". */
  public String title() {
    return title;
  }

  /** The kind of the recorded waits that measure it; empty if no single kind does. */
  public Optional<WaitKind> waitsFor() {
    return waitsFor;
  }
}
