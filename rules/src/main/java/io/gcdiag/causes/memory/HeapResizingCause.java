package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.measures.Case;
import java.util.List;
import java.util.OptionalDouble;

/** Growing or shrinking the committed heap is itself the stall. */
public final class HeapResizingCause extends Cause {
  public HeapResizingCause() {
    super(
        Hypothesis.HEAP_RESIZING,
        "Heap resizing at run time",
        "set -Xms to the present value of -Xmx",
        Trait.BY_PAUSES,
        Trait.OF_COLLECTIONS,
        Trait.SEEN_IN_ALLOCATION);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new HeapResizeRule());
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
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
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
}
