package io.gcdiag.causes.memory;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
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

/** Objects wait for finalization, and the finalizer thread is blocked or too slow. */
public final class FinalizerBacklogCause extends Cause {
  public FinalizerBacklogCause() {
    super(
        Hypothesis.FINALIZER_BACKLOG,
        "Finalizer backlog: finalizers do not keep up",
        "look at what the named finalizer waits for; close such objects "
            + "explicitly, and replace finalize() by java.lang.ref.Cleaner or "
            + "try-with-resources",
        Trait.OF_COLLECTIONS);
  }

  @Override
  public List<Rule> rules() {
    return List.of(new FinalizerThreadRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().inDumps(thread -> FinalizerBacklog.THREADS.contains(thread.name())));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "let no finalizer wait: close the objects where they are used (try-with-resources), and do"
            + " this work there or in a thread of its own");
  }

  @Override
  public List<Prediction> predictions(Case incident, List<Finding> findings, OptionalDouble share) {
    return CollectionsRemoved.andLatency(incident, this, share);
  }
}
