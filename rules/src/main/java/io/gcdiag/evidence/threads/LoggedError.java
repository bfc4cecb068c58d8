package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import java.time.Instant;
import java.util.Optional;

/**
 * A line of an application's or the kernel's log that says what went wrong in the JVM.
 *
 * @param at when it was written
 * @param kind what it says
 * @param subject the pool, thread, process or message; may be empty
 * @param place the innermost frame of the service's own code below the line; empty without one
 * @param waits what the thread waits for by that stack; empty without one, or if it runs
 * @param source where it was read
 */
public record LoggedError(
    Instant at, Kind kind, String subject, String place, Optional<WaitKind> waits, Source source)
    implements Sample {

  /** One without a stack, or of a thread that runs. */
  public LoggedError(Instant at, Kind kind, String subject, String place, Source source) {
    this(at, kind, subject, place, Optional.empty(), source);
  }

  /** What such lines say. */
  public enum Kind {
    /** OutOfMemoryError: the heap is full. */
    HEAP_FULL,
    /** OutOfMemoryError: no room for classes. */
    METASPACE_FULL,
    /** OutOfMemoryError: the system starts no more threads. */
    NO_THREAD,
    /** OutOfMemoryError: no room for direct buffers, the JDK's or Netty's. */
    DIRECT_MEMORY_FULL,
    /** Direct buffers were dropped and never released. */
    BUFFER_LEAKED,
    /** A collector that takes most of the time, by the application's own monitor. */
    COLLECTOR_BUSY,
    /** The code cache is full, and the compiler is off. */
    CODE_CACHE_FULL,
    /** A thread gave up waiting for a connection of HikariCP. */
    POOL_TIMEOUT,
    /** The same for another pool of connections. */
    OTHER_POOL_TIMEOUT,
    /** HikariCP's leak detection: a connection was held for longer than its threshold. */
    CONNECTION_HELD,
    /** A pool of threads has none free, and no room to queue. */
    WORK_REJECTED,
    /**
     * HikariCP's housekeeper came late by half its period or more: the JVM got no CPU, or stood.
     */
    STARVED,
    /** A Kafka consumer handled messages for longer than its poll interval. */
    POLLED_LATE,
    /** A downstream call got no answer in time. */
    CALL_TIMEOUT,
    /** An event loop or worker of Vert.x or Quarkus was blocked for longer than it may be. */
    THREAD_BLOCKED,
    /** Tomcat or WebLogic calls a request thread stuck. */
    REQUEST_STUCK,
    /** The kernel killed a Java process for want of memory. */
    KILLED_FOR_MEMORY,
    /** The system gave the JVM no more memory, and the JVM ended. */
    MEMORY_REFUSED,
    /** The JVM crashed. */
    CRASHED
  }
}
