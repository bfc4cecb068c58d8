package io.gcdiag.causes.workers;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import java.util.List;

/** The number of threads grows without bound. */
public final class ThreadLeakCause extends Cause {
  public ThreadLeakCause() {
    super(
        Hypothesis.THREAD_LEAK,
        "Thread leak: threads are started and never end",
        "end what the named code starts: cancel the timer, shut the executor down, "
            + "or share one; then watch the number of threads");
  }

  @Override
  public List<Rule> rules() {
    return List.of(new ThreadGrowthRule());
  }

  @Override
  public void place(PlaceParts found) {
    found.code(found.own().mostOfAll(Activity.STARTING_THREADS));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "stop what it starts: cancel the timer, shut the executor down, or share one");
  }
}
