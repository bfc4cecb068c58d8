package io.gcdiag.causes.waits;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;

/** Asks whether request threads wait for clients that read or send slowly. */
// Waits of a recording or dumps, whichever there are.
@Judges(Hypothesis.SLOW_CLIENTS)
final class ClientWaitRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    return new WaitFinding(id(), Effect.CLIENT_WAIT, Hypothesis.SLOW_CLIENTS)
        .findings(incident, "", Optional.empty());
  }
}
