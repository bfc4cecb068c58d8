package io.gcdiag.causes.memory;

import io.gcdiag.books.Edit;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.cores.MachinePlaces;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Changes to the machine or the container. */
public final class MachineEdits {

  private final SuspectContext suspect;

  public MachineEdits(SuspectContext suspect) {
    this.suspect = suspect;
  }

  public List<Edit> largerQuota() {
    return suspect.timeline().samples(CpuQuota.class).stream()
        .filter(one -> one.quota().isPresent())
        .reduce((first, last) -> last)
        .map(
            quota ->
                List.of(
                    Edit.infrastructure(
                        "CPU limit of the container",
                        Optional.of(MachinePlaces.cores(quota)),
                        "remove it, or raise it"
                            + suspect.timeline().jvm().cpus().stream()
                                .filter(cpus -> cpus > MachinePlaces.coresOf(quota))
                                .mapToObj(cpus -> " to " + Numbers.counted(cpus, "core"))
                                .findFirst()
                                .orElse(""),
                        suspect.why())))
        .orElse(List.of());
  }

  /** Memory and swap in use together would fit into that much memory. */
  public List<Edit> moreMemory() {
    Optional<MachineMemory> memory =
        suspect.timeline().samples(MachineMemory.class).stream()
            .max(Comparator.comparingLong(one -> one.used().value()));
    Bytes swapped =
        suspect.timeline().samples(SwapSpace.class).stream()
            .map(SwapSpace::used)
            .max(Comparator.naturalOrder())
            .orElse(Bytes.ZERO);
    return memory
        .map(
            one ->
                List.of(
                    Edit.infrastructure(
                        "memory of the machine or container",
                        Optional.of(one.total().toString()),
                        "at least %s, the sum of %s in use and %s in swap"
                            .formatted(one.used().plus(swapped), one.used(), swapped),
                        suspect.why())))
        .orElse(List.of());
  }

  /** Room for the heap at its largest. */
  public List<Edit> largerLimit() {
    return suspect.timeline().jvm().maxHeap().map(this::roomFor).orElse(List.of());
  }

  /** None if a heap of that size fits, or if the limit is unknown. */
  public List<Edit> roomFor(Bytes heap) {
    return MemoryHeadroom.of(suspect.timeline(), suspect.incident().window())
        .filter(headroom -> headroom.isTooSmallFor(heap))
        .map(
            headroom ->
                List.of(
                    Edit.infrastructure(
                        headroom.ofContainer()
                            ? "memory limit of the container"
                            : "memory of the machine or container",
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

  public List<Edit> fewerPrograms() {
    return suspect
        .at(Role.MACHINE)
        .map(
            part ->
                suspect.infrastructure(
                    part.name(),
                    "stop the one that uses the CPU (pidstat 1 shows it), or move it or the"
                        + " service to another machine"))
        .orElse(List.of());
  }
}
