package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.memory.CollectionCauseRule.TailPauses;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.jvm.HeapChange;
import io.gcdiag.evidence.jvm.Pauses;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.HeapExpansion;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.ResizingCost;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Nanos;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Growing or shrinking the committed heap is what stops the application. */
public final class HeapResizingCause extends Cause {
  public HeapResizingCause() {
    super(
        Hypothesis.HEAP_RESIZING,
        "Heap resizing at run time",
        "set -Xms to the present value of -Xmx",
        List.of(new HeapResizeRule()),
        Trait.BY_PAUSES,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public void place(PlaceParts found) {
    HeapSettings.place(found);
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.ofMaxHeap(heap -> HeapSettings.edits(suspect, heap));
  }

  @Override
  public List<Prediction> predictions(
      MeasuredIncident incident, List<Finding> findings, OptionalDouble share) {
    return incident
        .timeline()
        .jvm()
        .maxHeap()
        .map(
            max ->
                new HeapSizes(incident, hypothesis(), HeapUse.of(incident))
                    .at("initial heap = maximum = " + max, max))
        .orElseGet(
            () ->
                List.of(
                    new CauseRemoved(incident, this)
                        .refused("the maximum heap size is not in these files")));
  }

  /**
   * Asks what the changes of the committed heap cost: which pauses would have been shorter, or
   * absent, with the initial size equal to the maximum ({@link ResizingCost}).
   */
  @Judges(
      value = Hypothesis.HEAP_RESIZING,
      needs = {Signal.GC_PAUSES, Signal.HEAP_AROUND_GC})
  static final class HeapResizeRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      Pauses measured = incident.timeline().pauses(incident.window()).tellingHeap();
      if (measured.isEmpty()) {
        return List.of();
      }
      StoppedTimeSplit split = StoppedTimeSplit.of(incident);
      Pauses resizing = split.resizing().resizes();
      return List.of(
          resizing.isEmpty() ? unchanged(incident, measured) : changed(incident, resizing, split));
    }

    private Finding unchanged(Incident incident, Pauses measured) {
      Timeline timeline = incident.timeline();
      Sizes sizes = sizes(incident);
      Bytes size = measured.get(0).heap().map(HeapChange::committedAfter).orElse(Bytes.ZERO);
      Optional<Bytes> initial = timeline.jvm().initialHeap();
      Optional<Bytes> max = timeline.jvm().maxHeap();
      // Without -Xms a JVM may start with its maximum heap and return part of it later.
      boolean whole =
          max.filter(most -> size.value() >= (1 - Policy.NOTABLE) * most.value()).isPresent();
      boolean fixed = timeline.jvm().keepsHeapSize() || whole && initial.equals(max);
      return Finding.of(
              id(),
              (sizes.smallest().equals(sizes.largest())
                      ? "the committed heap stayed at " + size
                      : "the heap kept its size (%s to %s without a survivor space)"
                          .formatted(sizes.smallest(), sizes.largest()))
                  + " in "
                  + all(measured.size())
                  + (fixed ? "; -Xms equals -Xmx" : ""))
          .value("resizes", 0)
          .value("committedBytes", size.value())
          .from(measured.get(0).source())
          .refutes(Hypothesis.HEAP_RESIZING)
          .build();
    }

    private Finding changed(MeasuredIncident incident, Pauses resizing, StoppedTimeSplit split) {
      PauseTotals all = PauseTotals.of(incident.timeline(), incident.window());
      Sizes sizes = sizes(incident);
      Duration inResizes = PauseTotals.of(resizing, 1).sum();
      double share = split.share(Hypothesis.HEAP_RESIZING);
      FindingBuilder finding =
          Finding.of(
                  id(),
                  ("the committed heap changed size in %s of %s pauses (%s to %s); a heap of the"
                          + " largest of these sizes from the start avoids %s of the growth in pause"
                          + " time")
                      .formatted(
                          resizing.size(),
                          all.count(),
                          sizes.smallest(),
                          sizes.largest(),
                          new Ratio(share).share()))
              .figure("committed heap", sizes.smallest() + " to " + sizes.largest())
              .figure("pauses that resize the heap", resizing.size() + " of " + all.count())
              .sum(
                  "pauses with a resize: %s of %s"
                      .formatted(Durations.format(inResizes), Durations.format(all.sum())))
              .value("resizes", resizing.size())
              .value("resizePauseSeconds", Durations.seconds(inResizes))
              .value("excessShare", share)
              .from(resizing.stream().map(GcPause::source).limit(Policy.MOST_NAMED).toList())
              .explains(Hypothesis.HEAP_RESIZING, Effect.STOPPED, share);
      if (isFelt(incident, split)) {
        finding.warns(Hypothesis.HEAP_RESIZING);
      } else if (share < Policy.NOTABLE) {
        finding.weakens(Hypothesis.HEAP_RESIZING);
      }
      return finding.build();
    }

    /** Every JVM grows its heap during startup. If the start is unknown, it is taken as over. */
    private static boolean isFelt(Incident incident, StoppedTimeSplit split) {
      Timeline timeline = incident.timeline();
      Instant started =
          timeline
              .jvm()
              .start()
              .orElseGet(() -> timeline.pauses().get(0).start())
              .plus(HeapExpansion.START_UP);
      Pauses saved = split.resizing().saved();
      long after = Nanos.since1970(started);
      return TailPauses.among(saved.where(i -> saved.startNanos(i) > after), incident.window());
    }

    /** The heap's sizes in the window, and its size at the start of it. */
    private static Sizes sizes(Incident incident) {
      Window window = incident.window();
      long smallest = Long.MAX_VALUE;
      long largest = 0;
      Pauses pauses = incident.timeline().pauses();
      long from = Nanos.since1970(window.from());
      long to = Nanos.since1970(window.to());
      for (int i = 0; i < pauses.size() && pauses.startNanos(i) < to; i++) {
        if (pauses.tellsHeap(i)) {
          boolean before = pauses.startNanos(i) < from;
          long size = pauses.committedAfter(i);
          smallest = before ? size : Math.min(smallest, size);
          largest = before ? size : Math.max(largest, size);
        }
      }
      return new Sizes(Bytes.of(smallest), Bytes.of(largest));
    }

    private record Sizes(Bytes smallest, Bytes largest) {}

    private static String all(int collections) {
      return switch (collections) {
        case 1 -> "the only GC";
        case 2 -> "both GCs";
        default -> "all " + Numbers.count(collections) + " GCs";
      };
    }
  }
}
