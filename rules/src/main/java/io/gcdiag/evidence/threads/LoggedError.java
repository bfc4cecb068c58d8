package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Instant;
import java.util.Optional;

/**
 * A line of an application's or the kernel's log that reports an error of the JVM or the service.
 *
 * @param at when it was written
 * @param subject the pool, thread, process or message; may be empty
 * @param place the innermost frame of the service's own code in the stack below the line; empty
 *     without one
 * @param waits what the thread waits for by that stack; empty without a stack, or if it runs
 * @param source where it was read
 */
public record LoggedError(
    Instant at, Kind kind, String subject, String place, Optional<WaitKind> waits, Source source)
    implements Sample {

  /** An error without a stack, or of a thread that runs. */
  public LoggedError(Instant at, Kind kind, String subject, String place, Source source) {
    this(at, kind, subject, place, Optional.empty(), source);
  }

  public enum Kind {
    /** OutOfMemoryError: the heap is full. */
    HEAP_FULL,
    /** OutOfMemoryError: the metaspace is full. */
    METASPACE_FULL,
    /** OutOfMemoryError: the system refused to start a thread. */
    NO_THREAD,
    /** OutOfMemoryError: the limit of direct buffers, the JDK's or Netty's, is reached. */
    DIRECT_MEMORY_FULL,
    /** Direct buffers were dropped and never released. */
    BUFFER_LEAKED,
    /** GC takes most of the time, by the application's own monitoring. */
    COLLECTOR_BUSY,
    /** The code cache is full, and the JIT compiler is off. */
    CODE_CACHE_FULL,
    /** A thread gave up waiting for a connection of HikariCP. */
    POOL_TIMEOUT,
    /** The same for a pool of other connections. */
    OTHER_POOL_TIMEOUT,
    /** HikariCP's leak detection: a connection was held for longer than its threshold. */
    CONNECTION_HELD,
    /** A thread pool has no free thread, and its queue is full. */
    WORK_REJECTED,
    /** HikariCP's housekeeper ran late by half its period: the JVM got no CPU, or was stopped. */
    STARVED,
    /** An event loop of Netty ran without anything to do, and opened its selector anew. */
    LOOP_SPINS,
    /** A Kafka consumer handled messages for longer than its poll interval. */
    POLLED_LATE,
    /** A downstream call got no answer in time. */
    CALL_TIMEOUT,
    /** The remote host, or a circuit breaker before it, refused a call. */
    CALL_REFUSED,
    /** A statement waits for a lock in the database, or ended in a deadlock there. */
    DATABASE_LOCK,
    /** A server says that a request took a second or more, and not why. */
    REQUEST_SLOW,
    /** A statement that the database, or the library before it, calls slow: a second or more. */
    SLOW_STATEMENT,
    /** A write or fsync took so long that the server warns of it. */
    DISK_SLOW,
    /** An event loop or worker of Vert.x or Quarkus was blocked for longer than allowed. */
    THREAD_BLOCKED,
    /** A virtual thread waited where it keeps its carrier, by {@code jdk.tracePinnedThreads}. */
    THREAD_PINNED,
    /** Tomcat or WebLogic calls a request thread stuck. */
    REQUEST_STUCK,
    /** The kernel's OOM killer ended a Java process. */
    KILLED_FOR_MEMORY,
    /** Kubernetes restarted the container, because its liveness probe got no answer in time. */
    RESTARTED,
    /** The system refused memory to the JVM, and the JVM ended. */
    MEMORY_REFUSED,
    CRASHED
  }
}
