package io.gcdiag.measures.threads;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.units.Named;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the time of requests went. An effect is never a root cause: its time is attributed to the
 * causes of the effect.
 */
public enum Effect implements Named {
  /** Waiting in the queue of a server or an executor for a free worker thread. */
  WORKER_WAIT("waiting for a free worker thread"),
  POOL_WAIT("waiting for a connection", WaitKind.POOL),
  LOCK_WAIT("waiting for a lock", WaitKind.LOCK),
  /** Waiting for space in the queue of an asynchronous logger. */
  LOG_WAIT("waiting for room in a log queue", WaitKind.LOG_QUEUE),
  DIRECT_MEMORY_WAIT("waiting for direct buffer memory", WaitKind.DIRECT_MEMORY),
  /** Waiting for a database or remote service on a connection in use. */
  DOWNSTREAM_WAIT("waiting for a downstream call", WaitKind.DOWNSTREAM),
  CLIENT_WAIT("waiting for a slow client", WaitKind.CLIENT),
  FILE_WAIT("waiting for file I/O", WaitKind.FILE),
  /** Waiting for what no other effect covers: a latch, a condition, a child process. */
  OTHER_WAIT("waiting for a latch, a condition or a process", WaitKind.OTHER),
  SLEEP("sleeping", WaitKind.SLEEP),
  /** Virtual threads that block while pinned, as long as that leaves no carrier to others. */
  PINNED("pinned to a carrier while none is free", WaitKind.PINNED),
  RUNNING("computing"),
  CPU_QUEUE("waiting for CPU"),
  THROTTLED("stopped by a CPU quota"),
  ALLOCATION_STALL("waiting for the collector to free memory", WaitKind.ALLOCATION_STALL),
  /** Stopped at a non-GC safepoint, or waiting for other threads to reach a safepoint. */
  SAFEPOINT("stopped in a non-GC safepoint"),
  STOPPED("stopped in a GC pause"),
  /** Time of slower requests that no recorded data explains. */
  UNACCOUNTED("elsewhere, where nothing was recorded");

  private final String title;
  private final Optional<WaitKind> waitsFor;

  Effect(String title, WaitKind... waitsFor) {
    this.title = title;
    this.waitsFor = Stream.of(waitsFor).findFirst();
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
