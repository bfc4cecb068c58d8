package io.gcdiag.books;

import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Named;
import java.util.List;
import java.util.Optional;

/**
 * Root causes that the rules can judge. Each constant has a page under {@code docs/hypotheses/}
 * named by its id. A root cause is something whose removal ends the incident. Threads waiting for a
 * connection, busy threads and long pauses are {@linkplain Effect effects}, not causes.
 */
public enum Hypothesis implements Named {
  /** The heap is too small for the live set and the allocation rate. */
  MEMORY_PRESSURE,
  /** Resizing the committed heap takes the time itself. */
  HEAP_RESIZING,
  /** The live set grows without bound. */
  MEMORY_LEAK,
  /** The application allocates so fast that young collections are very frequent. */
  ALLOCATION_CHURN,
  /** Demand exceeds the pool. */
  CONNECTION_POOL_UNDERSIZED,
  /** Connections are not returned, or held during work that does not need them. */
  CONNECTION_LEAK,
  /** Requests open connections that could be kept. */
  CONNECTION_CHURN,
  /** A database or remote service responds slowly. */
  SLOW_DOWNSTREAM,
  /** The JVM's own work fills its cores. */
  CPU_SATURATION,
  /** A CPU quota stops the JVM. */
  CPU_THROTTLING,
  /** The machine is out of memory. */
  SWAPPING,
  /** Objects larger than half a G1 region force collections. */
  HUMONGOUS_ALLOCATION,
  /** JNI critical sections delay or force collections. */
  GC_LOCKER,
  /** The application or a tool requests collections. */
  EXPLICIT_GC,
  /** Objects wait for finalization, and the finalizer thread is blocked or too slow. */
  FINALIZER_BACKLOG,
  /** Class metadata forces collections. */
  METASPACE_PRESSURE,
  /** Threads queue for a monitor or lock. */
  LOCK_CONTENTION,
  /** Requests wait for space in the queue of an asynchronous logger. */
  LOG_QUEUE_FULL,
  /** Clients read or send slowly, and request threads wait for them. */
  SLOW_CLIENTS,
  DEADLOCK,
  /** Virtual threads block while pinned to their carriers. */
  VIRTUAL_THREAD_PINNING,
  /** Too few threads serve requests. */
  THREAD_POOL_EXHAUSTED,
  /** Threads reach safepoints late, or non-GC safepoints are long. */
  SAFEPOINT_STALL,
  /** File reads, writes or fsyncs delay requests. */
  SLOW_DISK,
  /** The number of threads grows without bound. */
  THREAD_LEAK,
  /** Hot code runs in the interpreter. */
  JIT_PRESSURE,
  /** Many exceptions with stack traces are created. */
  EXCEPTION_STORM,
  /** Requests sleep: between retries, in a rate limiter, in a polling loop. */
  REQUESTS_SLEEP,
  /** Other processes take the CPU. */
  HOST_CPU_CONTENTION,
  /** The memory of the container or machine is exhausted before the JVM's heap. */
  CONTAINER_MEMORY,
  /** The limit of direct buffer memory is reached. */
  DIRECT_MEMORY,
  /** Most request threads are in one method that no other cause covers. */
  NATIVE_OR_UNKNOWN;

  /**
   * The cause that is named after this kind of wait, if nothing more is known; empty for other
   * kinds.
   */
  public static Optional<Hypothesis> of(WaitKind kind) {
    return switch (kind) {
      case DOWNSTREAM -> Optional.of(SLOW_DOWNSTREAM);
      case LOCK -> Optional.of(LOCK_CONTENTION);
      case POOL -> Optional.of(CONNECTION_POOL_UNDERSIZED);
      case LOG_QUEUE -> Optional.of(LOG_QUEUE_FULL);
      case DIRECT_MEMORY -> Optional.of(Hypothesis.DIRECT_MEMORY);
      case CLIENT -> Optional.of(SLOW_CLIENTS);
      case FILE -> Optional.of(SLOW_DISK);
      case SLEEP -> Optional.of(REQUESTS_SLEEP);
      case PINNED, ALLOCATION_STALL, OTHER, IDLE -> Optional.empty();
    };
  }

  /** All causes in the order of the catalogue. */
  public static List<Hypothesis> catalogue() {
    return List.of(values());
  }
}
