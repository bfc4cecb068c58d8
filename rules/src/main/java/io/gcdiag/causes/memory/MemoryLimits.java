package io.gcdiag.causes.memory;

import io.gcdiag.books.Edit;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.units.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Place and edits of the memory limit that the heap must fit into. */
final class MemoryLimits {

  private static final String OF_EITHER = "memory of the machine or container";

  /** Adds the limit that the process reaches; how close it came is among the reasons. */
  static void reached(PlaceParts found) {
    MemoryHeadroom.of(found.timeline(), found.incident().window())
        .ifPresent(
            headroom ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        headroom.ofContainer()
                            ? "memory limit of the container"
                            : "memory of the machine",
                        headroom.limit().toString(),
                        headroom.sources().get(headroom.sources().size() - 1))));
    HeapSettings.largest(found);
  }

  /** Adds what is in use of the memory, the most of all readings. */
  static void inUse(PlaceParts found) {
    found.timeline().samples(MachineMemory.class).stream()
        .max(Comparator.comparingLong(one -> one.used().value()))
        .ifPresent(
            one ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        OF_EITHER,
                        one.used() + " of " + one.total() + " in use",
                        one.source())));
    HeapSettings.largest(found);
  }

  /** Room for a heap of that size; none if it fits, or if the limit is unknown. */
  static List<Edit> roomFor(SuspectContext suspect, Bytes heap) {
    return MemoryHeadroom.of(suspect.timeline(), suspect.incident().window())
        .filter(headroom -> headroom.isTooSmallFor(heap))
        .map(
            headroom ->
                List.of(
                    Edit.infrastructure(
                        headroom.ofContainer() ? "memory limit of the container" : OF_EITHER,
                        Optional.of(headroom.limit().toString()),
                        headroom
                            .outside()
                            .filter(outside -> outside.value() > 0)
                            .map(
                                outside ->
                                    "at least %s, for %s of heap and at least %s outside of it"
                                        .formatted(headroom.neededBy(heap), heap, outside))
                            .orElse("more than " + heap + ", the maximum size of the heap alone"),
                        suspect.why())))
        .orElse(List.of());
  }
}
