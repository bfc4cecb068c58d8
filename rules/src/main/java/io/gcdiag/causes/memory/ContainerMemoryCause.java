package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import java.util.List;

/** The memory of the container or machine is exhausted before the JVM's heap. */
public final class ContainerMemoryCause extends Cause {
  public ContainerMemoryCause() {
    super(
        Hypothesis.CONTAINER_MEMORY,
        "Memory limit of the container or machine: the JVM is killed",
        "raise the memory limit, or lower what the JVM takes outside its heap "
            + "(threads, direct buffers, metaspace, code cache): heap and all of these "
            + "have to fit the limit");
  }

  @Override
  public List<Rule> rules() {
    return List.of(new MemoryLimitRule());
  }

  @Override
  public void place(PlaceParts found) {
    MemoryLimits.reached(found);
  }

  /** Room for the heap at its largest. */
  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.ofMaxHeap(heap -> MemoryLimits.roomFor(suspect, heap));
  }
}
