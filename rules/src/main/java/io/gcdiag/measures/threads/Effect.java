package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.units.Named;
import io.gcdiag.units.ResourceText;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where the time of requests went. An effect is never a root cause: its time is handed on to
 * whatever caused it.
 */
public enum Effect implements Named {
  /** Waiting for a free worker thread: in a server's or an executor's queue. */
  WORKER_WAIT,
  /** Waiting to borrow a connection. */
  POOL_WAIT(WaitKind.POOL),
  /** Waiting for a monitor or lock. */
  LOCK_WAIT(WaitKind.LOCK),
  /** Waiting for room in the queue of an asynchronous logger. */
  LOG_WAIT(WaitKind.LOG_QUEUE),
  /** Waiting for other direct buffers to be freed. */
  DIRECT_MEMORY_WAIT(WaitKind.DIRECT_MEMORY),
  /** Waiting for a database or remote service on a connection in use. */
  DOWNSTREAM_WAIT(WaitKind.DOWNSTREAM),
  /** Waiting for a client to read its response or to send its request. */
  CLIENT_WAIT(WaitKind.CLIENT),
  /** Waiting for file reads, writes and forces. */
  FILE_WAIT(WaitKind.FILE),
  /** Waiting for what no other effect covers: a latch, a condition, a child process. */
  OTHER_WAIT(WaitKind.OTHER),
  /** Sleeping for a fixed time. */
  SLEEP(WaitKind.SLEEP),
  /** A virtual thread that keeps its carrier while it blocks. */
  PINNED(WaitKind.PINNED),
  /** Computing on a core. */
  RUNNING,
  /** Ready to run and waiting for CPU. */
  CPU_QUEUE,
  /** Stopped by the quota of a container. */
  THROTTLED,
  /** Waiting for a concurrent collector to free memory. */
  ALLOCATION_STALL(WaitKind.ALLOCATION_STALL),
  /** Stopped at a safepoint, or waiting for others to reach it, beside the pauses. */
  SAFEPOINT,
  /** Stopped in a stop-the-world pause of the collector. */
  STOPPED,
  /** In requests that took longer, where nothing recorded says. */
  UNACCOUNTED;

  private static final Map<String, List<String>> TEXTS =
      ResourceText.table(Effect.class, "effects.txt");

  private final Optional<WaitKind> waitsFor;

  Effect() {
    waitsFor = Optional.empty();
  }

  Effect(WaitKind waitsFor) {
    this.waitsFor = Optional.of(waitsFor);
  }

  /** For people; continues "time spent ...". */
  public String title() {
    return TEXTS.get(id()).get(0);
  }

  /** The station of a request at which this time is spent, such as {@code Connection pool}. */
  public String station() {
    return TEXTS.get(id()).get(1);
  }

  /** The kind of the recorded waits that measure it; empty if no single kind does. */
  public Optional<WaitKind> waitsFor() {
    return waitsFor;
  }
}
