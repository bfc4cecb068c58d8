package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.HeapSamples;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.MemoryLimit;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Nanos;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The memory of the process compared with its limit, and the part of it that is not heap.
 *
 * @param limit the container's limit, else the machine's memory
 * @param ofContainer whether a container has that limit
 * @param inUse the most that was in memory in the window, where it is known (JDK 21 and later)
 * @param heap the most that the heap had committed until the window's end, where it is known; not
 *     all of it need be in memory
 * @param sources where these were read
 */
record MemoryHeadroom(
    Bytes limit,
    boolean ofContainer,
    Optional<Bytes> inUse,
    Optional<Bytes> heap,
    List<Source> sources) {

  /** The JDK whose ZGC is generational without a flag (JEP 474); from 24 on it has no other. */
  private static final int GENERATIONAL_SINCE = 23;

  /** In a window; empty if the files state no limit. */
  static Optional<MemoryHeadroom> of(Timeline timeline, Window window) {
    Optional<MemoryLimit> container =
        timeline.samples(MemoryLimit.class).stream().reduce((first, last) -> last);
    Optional<MachineMemory> machine =
        timeline.samples(MachineMemory.class).stream()
            .filter(memory -> memory.total().value() > 0)
            .max(Comparator.comparing(MachineMemory::total));
    Optional<Bytes> limit =
        container.map(MemoryLimit::limit).or(() -> machine.map(MachineMemory::total));
    if (limit.isEmpty()) {
      return Optional.empty();
    }
    Optional<ResidentMemory> most = most(timeline, window, limit.get());
    Source stated = container.map(MemoryLimit::source).orElseGet(() -> machine.get().source());
    return Optional.of(
        new MemoryHeadroom(
            limit.get(),
            container.isPresent(),
            most.map(ResidentMemory::inUse),
            committed(timeline.heap(), window.to()),
            Stream.concat(most.map(ResidentMemory::source).stream(), Stream.of(stated)).toList()));
  }

  /** A figure above the limit counts some pages more than once. */
  private static Optional<ResidentMemory> most(Timeline timeline, Window window, Bytes limit) {
    return isHeapCountedThrice(timeline.jvm())
        ? Optional.empty()
        : timeline.samples(ResidentMemory.class, window).stream()
            .max(Comparator.comparing(ResidentMemory::inUse))
            .filter(most -> most.inUse().compareTo(limit) <= 0);
  }

  /** Non-generational ZGC maps its heap at three addresses, and the kernel counts each mapping. */
  private static boolean isHeapCountedThrice(JvmFacts jvm) {
    boolean generational =
        jvm.flag("ZGenerational")
            .map(flag -> flag.value().equals("true"))
            .orElse(jvm.oldestRelease().orElse(0) >= GENERATIONAL_SINCE);
    return jvm.collector().filter("ZGC"::equals).isPresent() && !generational;
  }

  /** Samples come with collections; a window may have none. */
  private static Optional<Bytes> committed(HeapSamples heap, Instant until) {
    long end = Nanos.since1970(until);
    OptionalLong most =
        IntStream.range(0, heap.size())
            .filter(i -> heap.atNanos(i) < end)
            .mapToLong(heap::committed)
            .max();
    return most.isPresent() ? Optional.of(Bytes.of(most.getAsLong())) : Optional.empty();
  }

  /**
   * Lower bound of the memory outside the heap: threads, direct buffers, metaspace, code, the
   * collector.
   */
  Optional<Bytes> outside() {
    return inUse.flatMap(all -> heap.map(all::minusOrZero));
  }

  /** Memory needed by a heap of that size with the known memory outside the heap. */
  Bytes neededBy(Bytes largestHeap) {
    return largestHeap.plus(outside().orElse(Bytes.ZERO));
  }

  /** Whether a heap of that size and the memory outside it exceed the limit. */
  boolean isTooSmallFor(Bytes largestHeap) {
    return neededBy(largestHeap).compareTo(limit) > 0;
  }

  /** {@code the container's limit} or {@code the machine's memory}. */
  String name() {
    return ofContainer ? "the container's limit" : "the machine's memory";
  }
}
