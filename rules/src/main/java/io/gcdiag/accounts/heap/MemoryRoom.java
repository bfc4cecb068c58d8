package io.gcdiag.accounts.heap;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.heap.HeapSamples;
import io.gcdiag.evidence.machine.MachineMemory;
import io.gcdiag.evidence.machine.MemoryLimit;
import io.gcdiag.evidence.machine.ResidentMemory;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.units.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What the process takes of the memory that it may have, and how much of that is not heap.
 *
 * @param limit the container's limit, else the machine's memory
 * @param ofContainer whether a container has that limit
 * @param inUse the most that was in memory in the window, where it is known (JDK 21 and later)
 * @param heap the most that the heap had committed in the window; not all of it need be in memory
 * @param sources where these were read
 */
public record MemoryRoom(
    Bytes limit, boolean ofContainer, Optional<Bytes> inUse, Bytes heap, List<Source> sources) {

  /** Copies the sources. */
  public MemoryRoom {
    sources = List.copyOf(sources);
  }

  /** In a window; empty if the files state no limit. */
  public static Optional<MemoryRoom> of(Timeline timeline, Window window) {
    Optional<ResidentMemory> most =
        timeline.samples(ResidentMemory.class, window).stream()
            .max(Comparator.comparing(ResidentMemory::inUse));
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
    Source stated = container.map(MemoryLimit::source).orElseGet(() -> machine.get().source());
    return Optional.of(
        new MemoryRoom(
            limit.get(),
            container.isPresent(),
            most.map(ResidentMemory::inUse),
            committed(timeline.heap(window)),
            Stream.concat(most.map(ResidentMemory::source).stream(), Stream.of(stated)).toList()));
  }

  private static Bytes committed(HeapSamples heap) {
    return Bytes.of(IntStream.range(0, heap.size()).mapToLong(heap::committed).max().orElse(0));
  }

  /** What is beside the heap, at least: threads, direct buffers, metaspace, code, the collector. */
  public Bytes beside() {
    return inUse.map(all -> all.minusOrZero(heap)).orElse(Bytes.ZERO);
  }

  /** What a heap of so many bytes needs with it. */
  public Bytes neededBy(Bytes largestHeap) {
    return largestHeap.plus(beside());
  }

  /** Whether such a heap and what is beside it go beyond the limit. */
  public boolean isTooSmallFor(Bytes largestHeap) {
    return neededBy(largestHeap).compareTo(limit) > 0;
  }

  /** {@code the container's limit} or {@code the machine's memory}. */
  public String name() {
    return ofContainer ? "the container's limit" : "the machine's memory";
  }
}
