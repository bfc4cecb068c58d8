package io.gcdiag.correlation;

/** What a series is about, where a root cause would show in it. */
public enum Subject {
  /** Time stopped in pauses of the collector. */
  PAUSES,
  /** Bytes allocated per second. */
  ALLOCATION,
  /** CPU used by the JVM. */
  OWN_CPU,
  /** CPU used by other processes of the machine. */
  OTHER_CPU,
  /** Threads waiting for a connection of a pool. */
  POOL,
  /** Threads waiting for answers from downstream. */
  DOWNSTREAM,
  /** Threads waiting for locks. */
  LOCKS,
  /** Threads waiting for files. */
  FILES,
  /** Request threads at work. */
  WORKERS
}
