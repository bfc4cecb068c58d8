package io.gcdiag.causes.waits;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.jvm.OwnCode.Spot;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;

/** Clients read or send slowly, and request threads wait for them. */
public final class SlowClientsCause extends Cause {
  public SlowClientsCause() {
    super(
        Hypothesis.SLOW_CLIENTS,
        "Slow clients: request threads wait for their clients",
        "put a proxy that buffers requests and responses in front of the service "
            + "(nginx: proxy_buffering, proxy_request_buffering), or read and write "
            + "large ones without a thread (asynchronous servlets); a timeout ends the "
            + "slowest",
        List.of(new ClientWaitRule()),
        Trait.PART_OF_NORMAL_WORK,
        Trait.OF_SOME_REQUESTS,
        Trait.SEEN_IN_WAITS);
    chartLine("for a client", "Waits for clients");
  }

  @Override
  public void place(PlaceParts found) {
    found.code(
        found
            .own()
            .inDumps(thread -> thread.is(ThreadActivity.WAITING_FOR_CLIENT))
            .or(() -> found.own().most(Activity.AT_CLIENT, Spot::onRequestThread)));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect.code(
        "write large responses asynchronously, or let a proxy in front of the service buffer them");
  }

  /** Asks whether request threads wait for clients that read or send slowly. */
  // A recording or thread dumps suffice.
  @Judges(Hypothesis.SLOW_CLIENTS)
  static final class ClientWaitRule implements Rule {

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      return new WaitFinding(id(), Effect.CLIENT_WAIT, Hypothesis.SLOW_CLIENTS)
          .findings(incident, "", Optional.empty());
    }
  }
}
