package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadState;
import java.util.List;
import java.util.Map;

/** Most request threads are in one method that no other cause covers. */
public final class NativeOrUnknownCause extends Cause {
  public NativeOrUnknownCause() {
    super(
        Hypothesis.NATIVE_OR_UNKNOWN,
        "Most request threads are in one method: a native call, a latch, a loop",
        "look at the named code: what does it call or wait for, and who is to end "
            + "that? Take three dumps some seconds apart (jcmd PID Thread.print -l) to "
            + "see whether it gets on",
        List.of(new UnknownWaitsRule()),
        Trait.OF_SOME_REQUESTS);
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .inDumps(ThreadState::requestThread)
            .or(() -> found.own().most(Activity.WAITING, Spot::onRequestThread)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code("find what ends this wait and why it ends late; bound it with a timeout");
  }

  @Override
  public Map<String, String> chartLines() {
    return Map.of("for a latch or condition", "Waits in one method");
  }
}
