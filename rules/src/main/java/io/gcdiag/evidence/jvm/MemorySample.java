package io.gcdiag.evidence.jvm;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Bytes;
import java.time.Instant;
import java.util.Optional;

/** Memory of the machine, of the container and of the JVM's process, outside the Java heap. */
public sealed interface MemorySample extends Sample {

  /**
   * Physical memory of the machine, or of the container where it has a limit.
   *
   * @param total all of it
   * @param used what is in use, the operating system's file cache included where the JVM counts it
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
   * Swap space in use on the machine, or of a container that has a limit of memory by what is its
   * own.
   *
   * @param used what is in use
   * @param total all of it, where known; zero on a machine without
   */
  record SwapSpace(Instant at, Bytes used, Optional<Bytes> total, Source source)
      implements MemorySample {}

  /**
   * What of the process is in memory ({@code jdk.ResidentSetSize}, JDK 21 and later).
   *
   * @param inUse bytes in memory, shared pages included
   */
  record ResidentMemory(Instant at, Bytes inUse, Source source) implements MemorySample {}

  /**
   * What one part of the JVM has committed ({@code jdk.NativeMemoryUsage}), with {@code
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
   * @param count how many there are
   * @param inUse bytes they hold, without what aligns them
   * @param limit {@code -XX:MaxDirectMemorySize}, or what stands for it
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
