package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.units.Bytes;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The machine is out of memory. */
public final class SwappingCause extends Cause {
  public SwappingCause() {
    super(
        Hypothesis.SWAPPING,
        "Swapping: the machine is out of memory",
        "find what uses the machine's memory, and give this JVM a heap that fits "
            + "into the rest; on a server give it no swap space (memory.swap.max=0 of "
            + "its control group, or swapoff)");
  }

  @Override
  public List<Rule> rules() {
    return List.of(new SwapSpaceRule());
  }

  @Override
  public void place(PlaceParts found) {
    MemoryLimits.inUse(found);
  }

  /** Memory and swap in use together would fit into that much memory. */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
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
}
