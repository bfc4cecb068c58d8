package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * A line of an application's or the kernel's log that says what went wrong in the JVM.
 *
 * @param at when it was written
 * @param kind what it says
 * @param subject the pool, thread, process or message; may be empty
 * @param place the innermost frame of the service's own code below the line; empty without one
 * @param source where it was read
 */
public record LoggedError(Instant at, Kind kind, String subject, String place, Source source)
    implements Sample {

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
    /** A thread gave up waiting for a connection of HikariCP. */
    POOL_TIMEOUT,
    /** HikariCP's leak detection: a connection was held for longer than its threshold. */
    CONNECTION_HELD,
    /** An event loop or worker of Vert.x or Quarkus was blocked for longer than it may be. */
    THREAD_BLOCKED,
    /** Tomcat or WebLogic calls a request thread stuck. */
    REQUEST_STUCK,
    /** The kernel killed a Java process for want of memory. */
    KILLED_FOR_MEMORY
  }
}
