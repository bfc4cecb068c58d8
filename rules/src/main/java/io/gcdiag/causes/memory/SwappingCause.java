package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
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
            + "its control group, or swapoff)",
        List.of(new SwapSpaceRule()));
  }

  @Override
  public void place(PlaceParts found) {
    MemoryLimits.inUse(found);
  }

  /** A machine with this much memory would need no swap space. */
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

  /**
   * Asks whether the machine is out of memory, so that threads wait for pages that were swapped
   * out.
   *
   * <p>No recording holds these waits. The collector shows them, as it goes through all of the
   * heap: see {@link SwappedPages}.
   */
  @Judges(value = Hypothesis.SWAPPING, needs = Signal.MACHINE_MEMORY)
  static final class SwapSpaceRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      List<MachineMemory> memory = incident.timeline().samples(MachineMemory.class);
      Optional<SwappedPages> pages = SwappedPages.of(incident);
      if (pages.isEmpty()) {
        return memory.isEmpty() ? List.of() : byMemoryAlone(memory);
      }
      return List.of(bySwapSpace(incident, pages.get(), memory));
    }

    private Finding bySwapSpace(
        MeasuredIncident incident, SwappedPages pages, List<MachineMemory> memory) {
      List<SwapSpace> swap = incident.timeline().samples(SwapSpace.class);
      double share = StoppedTimeSplit.of(incident).share(Hypothesis.SWAPPING);
      FindingBuilder finding =
          Finding.of(id(), sentence(swap.get(0), pages, memory) + collector(pages))
              .figure(
                  "swap in use",
                  pages.readings() > 1
                      ? Optional.of(swap.get(0).used().toString())
                      : Optional.empty(),
                  pages.last().toString())
              .value("swapUsedBytes", pages.last().value())
              .value("swapGrowthBytes", pages.grown().value())
              .value("shareLostInPauses", pages.shareOfPauses())
              .from(swap.get(swap.size() - 1).source())
              .explains(Hypothesis.SWAPPING, Effect.STOPPED, share);
      if (pages.moved().value() > 0) {
        finding.value("swapMovedBytes", pages.moved().value());
      }
      memory.stream().findFirst().ifPresent(first -> finding.from(first.source()));
      if (pages.swapping()) {
        finding.explains(Hypothesis.SWAPPING, Effect.UNACCOUNTED, pages.shareOfPauses());
      }
      if (!pages.inUse()) {
        finding.refutes(Hypothesis.SWAPPING);
      } else if (pages.shareOfPauses() == 0 && !pages.swapping() && pages.readings() > 1) {
        finding.weakens(Hypothesis.SWAPPING);
      } else {
        finding.supports(Hypothesis.SWAPPING);
      }
      return finding.build();
    }

    private static String sentence(
        SwapSpace first, SwappedPages pages, List<MachineMemory> memory) {
      List<String> parts = new ArrayList<>();
      memory.stream()
          .reduce((a, b) -> b)
          .ifPresent(m -> parts.add(m.used() + " of " + m.total() + " of memory in use"));
      parts.add(
          first.total().filter(Bytes.ZERO::equals).isPresent()
              ? "no swap space"
              : pages.last().equals(Bytes.ZERO)
                  ? "no swap in use"
                  : pages.last()
                      + " of swap in use"
                      + (pages.readings() > 1 ? " (" + pages.grown() + " more than at first)" : "")
                      + (pages.moved().equals(Bytes.ZERO)
                          ? ""
                          : ", " + pages.moved() + " swapped out and in"));
      return String.join(", ", parts);
    }

    private static String collector(SwappedPages pages) {
      if (pages.shareOfPauses() == 0) {
        return "";
      }
      List<String> parts = new ArrayList<>();
      if (pages.waited() > 0) {
        parts.add(
            "the GC threads did not run for "
                + new Ratio(pages.waited())
                + " of the pauses although the machine had free cores");
      }
      if (pages.kernel() > 0) {
        parts.add(new Ratio(pages.kernel()) + " of the CPU time of pauses was kernel time");
      }
      return "; " + String.join(", and ", parts);
    }

    /** A machine does not read pages from disk that it has in memory. */
    private List<Finding> byMemoryAlone(List<MachineMemory> memory) {
      double most =
          memory.stream()
              .filter(reading -> reading.total().value() > 0)
              .mapToDouble(reading -> (double) reading.used().value() / reading.total().value())
              .max()
              .orElse(1);
      Source source = memory.get(0).source();
      return most >= Policy.FULL
          ? List.of()
          : List.of(
              Finding.of(id(), "at most " + new Ratio(most) + " of the machine's memory is in use")
                  .value("memoryUsedShare", most)
                  .from(source)
                  .refutes(Hypothesis.SWAPPING)
                  .build());
    }
  }
}
