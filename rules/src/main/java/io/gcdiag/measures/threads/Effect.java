package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.units.Named;
import java.util.Optional;

/**
 * Where the time of requests went. An effect is never a root cause: its time is handed on to
 * whatever caused it.
 */
public enum Effect implements Named {
  /** Waiting for a free worker thread: in a server's or an executor's queue. */
  WORKER_WAIT("waiting for a free worker thread", "Queue for a worker thread"),
  /** Waiting to borrow a connection. */
  POOL_WAIT("waiting for a connection", "Connection pool", WaitKind.POOL),
  /** Waiting for a monitor or lock. */
  LOCK_WAIT("waiting for a lock", "Lock", WaitKind.LOCK),
  /** Waiting for room in the queue of an asynchronous logger. */
  LOG_WAIT("waiting for room in a log queue", "Log queue", WaitKind.LOG_QUEUE),
  /** Waiting for other direct buffers to be freed. */
  DIRECT_MEMORY_WAIT(
      "waiting for direct buffer memory", "Direct buffer memory", WaitKind.DIRECT_MEMORY),
  /** Waiting for a database or remote service on a connection in use. */
  DOWNSTREAM_WAIT("waiting for a downstream call", "Downstream call", WaitKind.DOWNSTREAM),
  /** Waiting for a client to read its response or to send its request. */
  CLIENT_WAIT("waiting for a slow client", "Client that reads", WaitKind.CLIENT),
  /** Waiting for file reads, writes and forces. */
  FILE_WAIT("waiting for file I/O", "File I/O", WaitKind.FILE),
  /** Waiting for what no other effect covers: a latch, a condition, a child process. */
  OTHER_WAIT(
      "waiting for a latch, a condition or a process",
      "Latch, condition or process",
      WaitKind.OTHER),
  /** Sleeping for a fixed time. */
  SLEEP("sleeping", "Sleep", WaitKind.SLEEP),
  /** A virtual thread that keeps its carrier while it blocks. */
  PINNED("blocked while pinned to a carrier thread", "Carrier threads", WaitKind.PINNED),
  /** Computing on a core. */
  RUNNING("computing", "Code on the CPU"),
  /** Ready to run and waiting for CPU. */
  CPU_QUEUE("waiting for CPU", "Run queue of the CPUs"),
  /** Stopped by the quota of a container. */
  THROTTLED("stopped by a CPU quota", "CPU quota"),
  /** Waiting for a concurrent collector to free memory. */
  ALLOCATION_STALL(
      "waiting for the collector to free memory", "Allocation stalls", WaitKind.ALLOCATION_STALL),
  /** Stopped at a safepoint, or waiting for others to reach it, beside the pauses. */
  SAFEPOINT("stopped in a non-GC safepoint", "Non-GC safepoints"),
  /** Stopped in a stop-the-world pause of the collector. */
  STOPPED("stopped in a GC pause", "GC pauses"),
  /** In requests that took longer, where nothing recorded says. */
  UNACCOUNTED("elsewhere, where nothing was recorded", "Not recorded");

  private final String title;
  private final String station;
  private final Optional<WaitKind> waitsFor;

  Effect(String title, String station) {
    this(title, station, Optional.empty());
  }

  Effect(String title, String station, WaitKind waitsFor) {
    this(title, station, Optional.of(waitsFor));
  }

  Effect(String title, String station, Optional<WaitKind> waitsFor) {
    this.title = title;
    this.station = station;
    this.waitsFor = waitsFor;
  }

  /** For people; continues "time spent ...". */
  public String title() {
    return title;
  }

  /** The station of a request at which this time is spent, such as {@code Connection pool}. */
  public String station() {
    return station;
  }

  /** The kind of the recorded waits that measure it; empty if no single kind does. */
  public Optional<WaitKind> waitsFor() {
    return waitsFor;
  }
}
