package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Optional;

/** Memory of the machine, of the container and of the JVM's process, outside the Java heap. */
public sealed interface MemorySample extends Sample {

  /**
   * Physical memory of the machine, or of the container if it has a limit.
   *
   * @param used memory in use; includes the operating system's file cache if the JVM counts it
   */
  record MachineMemory(Instant at, Bytes total, Bytes used, Source source)
      implements MemorySample {}

  /**
   * The limit of the container's memory; there is no sample of a container without one.
   *
   * @param limit bytes
   */
  record MemoryLimit(Instant at, Bytes limit, Source source) implements MemorySample {}

  /**
   * Swap space in use on the machine, or by a container with a memory limit.
   *
   * @param total size of the swap space, if known; zero on a machine without
   */
  record SwapSpace(Instant at, Bytes used, Optional<Bytes> total, Source source)
      implements MemorySample {}

  /**
   * Resident set size of the process ({@code jdk.ResidentSetSize}, JDK 21 and later).
   *
   * @param inUse bytes in memory, including shared pages
   */
  record ResidentMemory(Instant at, Bytes inUse, Source source) implements MemorySample {}

  /**
   * Committed memory of one part of the JVM ({@code jdk.NativeMemoryUsage}), with {@code
   * -XX:NativeMemoryTracking}.
   *
   * @param part such as {@code Thread} or {@code Code}, in HotSpot's words
   * @param committed bytes
   */
  record NativeMemory(Instant at, String part, Bytes committed, Source source)
      implements MemorySample {}

  /**
   * The direct buffers of {@code ByteBuffer.allocateDirect} ({@code jdk.DirectBufferStatistics}).
   *
   * @param inUse their size in bytes, without alignment
   * @param limit {@code -XX:MaxDirectMemorySize}, or its default
   */
  record DirectBuffers(Instant at, long count, Bytes inUse, Bytes limit, Source source)
      implements MemorySample {}

  /**
   * Class metadata after a collection ({@code jdk.MetaspaceSummary}).
   *
   * @param used bytes in use
   * @param committed bytes committed
   * @param threshold committed size at which the next collection is forced
   */
  record MetaspaceUse(Instant at, Bytes used, Bytes committed, Bytes threshold, Source source)
      implements MemorySample {}
}
