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
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.UnfinishedRecording;
import io.gcdiag.evidence.jvm.MemorySample.NativeMemory;
import io.gcdiag.evidence.jvm.MemorySample.ResidentMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.FetchedPages;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** The memory of the container or machine is exhausted before the JVM's heap. */
public final class ContainerMemoryCause extends Cause {
  public ContainerMemoryCause() {
    super(
        Hypothesis.CONTAINER_MEMORY,
        "Memory limit of the container or machine",
        "raise the memory limit, or lower what the JVM takes outside its heap "
            + "(threads, direct buffers, metaspace, code cache): heap, all of these "
            + "and the files that it maps have to fit the limit",
        List.of(new MemoryLimitRule(), new PageFetchRule()));
  }

  @Override
  public void place(PlaceParts found) {
    MemoryLimits.reached(found);
  }

  /** Enough memory for the maximum heap. */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.ofMaxHeap(heap -> MemoryLimits.roomFor(suspect, heap));
  }

  /** Compares the resident memory of the process with the limit of its container or machine. */
  @Judges(value = Hypothesis.CONTAINER_MEMORY, needs = Signal.MACHINE_MEMORY)
  static final class MemoryLimitRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Optional<MemoryHeadroom> headroom = MemoryHeadroom.of(timeline, incident.window());
      Optional<Bytes> inUse = headroom.flatMap(MemoryHeadroom::inUse);
      if (inUse.isEmpty() || isSwapped(timeline, headroom.get().limit())) {
        return List.of();
      }
      Bytes limit = headroom.get().limit();
      Optional<Bytes> before =
          incident
              .baseline()
              .flatMap(window -> MemoryHeadroom.of(timeline, window))
              .flatMap(MemoryHeadroom::inUse);
      Optional<Bytes> tooLarge =
          headroom.get().outside().isEmpty()
              ? Optional.empty()
              : timeline.jvm().maxHeap().filter(headroom.get()::isTooSmallFor);
      boolean full = isFull(inUse.get(), limit);
      boolean fullBefore = before.filter(most -> isFull(most, limit)).isPresent();
      if (!full && tooLarge.isEmpty()) {
        return List.of();
      }
      FindingBuilder finding = finding(headroom.get(), before, inUse.get(), tooLarge);
      grown(timeline).forEach(finding::sum);
      Optional<Bytes> step = full ? Optional.empty() : lastStep(timeline, limit);
      if (step.isPresent()) {
        finding
            .sum(
                "largest rise between two readings: %s > %s left; the recording breaks off"
                    .formatted(step.get(), limit.minusOrZero(inUse.get())))
            .warns(Hypothesis.CONTAINER_MEMORY);
      } else if (!full || fullBefore) {
        finding.weakens(Hypothesis.CONTAINER_MEMORY);
      } else {
        finding.supports(Hypothesis.CONTAINER_MEMORY, isGrown(timeline, inUse.get(), limit));
      }
      return List.of(finding.build());
    }

    /**
     * The largest rise between two readings, if one more like it would exceed the limit, the
     * process did not shrink after it and the recording has no end. Nothing else shows that the
     * kernel killed the process.
     */
    private static Optional<Bytes> lastStep(Timeline timeline, Bytes limit) {
      List<ResidentMemory> readings = timeline.samples(ResidentMemory.class);
      if (timeline.samples(UnfinishedRecording.class).isEmpty() || readings.isEmpty()) {
        return Optional.empty();
      }
      Bytes last = readings.get(readings.size() - 1).inUse();
      boolean most = readings.stream().allMatch(reading -> reading.inUse().compareTo(last) <= 0);
      return IntStream.range(1, readings.size())
          .mapToObj(i -> readings.get(i).inUse().minusOrZero(readings.get(i - 1).inUse()))
          .max(Comparator.naturalOrder())
          .filter(step -> most && step.compareTo(limit.minusOrZero(last)) > 0)
          .filter(step -> isGrown(timeline, last, limit));
    }

    /**
     * A process that was at its limit all along may stay there; one that grew up to it will go on
     * growing.
     */
    private static boolean isGrown(Timeline timeline, Bytes inUse, Bytes limit) {
      return timeline.samples(ResidentMemory.class).stream()
          .findFirst()
          .map(first -> inUse.minusOrZero(first.inUse()))
          .filter(growth -> growth.shareOf(limit).value() >= Policy.NOTABLE)
          .isPresent();
    }

    /** The remaining memory is below the measurement error: pages change between two readings. */
    private static boolean isFull(Bytes inUse, Bytes limit) {
      return inUse.shareOf(limit).value() >= 1 - Policy.NEGLIGIBLE;
    }

    /**
     * With free swap space the kernel swaps and kills nothing. A few unused pages are swapped out
     * on most machines.
     */
    private static boolean isSwapped(Timeline timeline, Bytes limit) {
      return timeline.samples(SwapSpace.class).stream()
          .anyMatch(swap -> swap.used().shareOf(limit).value() >= Policy.NEGLIGIBLE);
    }

    private FindingBuilder finding(
        MemoryHeadroom headroom, Optional<Bytes> before, Bytes inUse, Optional<Bytes> tooLarge) {
      Ratio share = inUse.shareOf(headroom.limit());
      String heap =
          tooLarge
              .flatMap(most -> headroom.outside().map(outside -> together(headroom, most, outside)))
              .orElse("");
      FindingBuilder finding =
          Finding.of(
                  id(),
                  "the process has %s in memory, %s of %s (%s)%s"
                      .formatted(inUse, share, headroom.name(), headroom.limit(), heap))
              .figure("process in memory, at most", before.map(Bytes::toString), inUse.toString())
              .figure("memory limit", headroom.limit().toString())
              .value("residentBytes", inUse.value())
              .value("limitBytes", headroom.limit().value())
              .from(headroom.sources());
      headroom.outside().ifPresent(outside -> finding.value("outsideHeapBytes", outside.value()));
      return finding;
    }

    private static String together(MemoryHeadroom headroom, Bytes most, Bytes outside) {
      if (outside.equals(Bytes.ZERO)) {
        return "; the heap alone may take " + most;
      }
      return ("; the maximum heap (%s) and the memory outside the heap (at least %s) take"
              + " %s together")
          .formatted(most, outside, headroom.neededBy(most));
    }

    /** The parts of the JVM that grew most from the first reading to the last. */
    private static List<String> grown(Timeline timeline) {
      Map<String, NativeMemory> first = new TreeMap<>();
      Map<String, NativeMemory> last = new TreeMap<>();
      for (NativeMemory reading : timeline.samples(NativeMemory.class)) {
        first.putIfAbsent(reading.part(), reading);
        last.put(reading.part(), reading);
      }
      return last.values().stream()
          .filter(now -> !growth(first, now).equals(Bytes.ZERO))
          .sorted(
              Comparator.comparing((NativeMemory now) -> growth(first, now))
                  .reversed()
                  .thenComparing(NativeMemory::part))
          .limit(Policy.MOST_NAMED)
          .map(
              now ->
                  "committed by %s: %s -> %s"
                      .formatted(now.part(), first.get(now.part()).committed(), now.committed()))
          .toList();
    }

    private static Bytes growth(Map<String, NativeMemory> first, NativeMemory now) {
      return now.committed().minusOrZero(first.get(now.part()).committed());
    }
  }

  /**
   * Asks whether the limit takes pages of mapped files and of the program away that requests need:
   * they are read from disk again, which no event of a recording shows.
   */
  @Judges(value = Hypothesis.CONTAINER_MEMORY, needs = Signal.CPU_LOAD)
  static final class PageFetchRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return FetchedPages.of(incident)
          .map(pages -> List.of(finding(incident, pages)))
          .orElse(List.of());
    }

    private Finding finding(MeasuredIncident incident, FetchedPages pages) {
      return Finding.of(
              id(),
              ("%s pages a second were read from disk again (before: %s), while the memory limit was"
                      + " reached %s times; of %s more cores in use %s are kernel time")
                  .formatted(
                      Numbers.threeDigits(pages.perSecond()),
                      Numbers.threeDigits(pages.before()),
                      Numbers.count(Math.round(pages.reached())),
                      Numbers.threeDigits(pages.grownCores()),
                      Numbers.threeDigits(pages.kernelCores())))
          .figure(
              "pages read from disk again, per second",
              Optional.of(Numbers.threeDigits(pages.before())),
              Numbers.threeDigits(pages.perSecond()))
          .value("pagesPerSecond", pages.perSecond())
          .value("limitReached", pages.reached())
          .value("kernelCores", pages.kernelCores())
          .from(pages.source())
          .from(MachineLoad.source(incident.timeline()))
          .supports(Hypothesis.CONTAINER_MEMORY)
          .explains(Hypothesis.CONTAINER_MEMORY, Effect.RUNNING, pages.share())
          // Threads wait for their pages as often as the kernel computes for them.
          .explains(Hypothesis.CONTAINER_MEMORY, Effect.UNACCOUNTED, pages.share())
          .build();
    }
  }
}
