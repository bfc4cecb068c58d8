package io.gcdiag.accounts.waits;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.Effect;
import java.util.List;
import java.util.Optional;

/** Asks whether request threads wait for clients that read or send slowly. */
// Waits of a recording or dumps, whichever there are.
@Judges(Hypothesis.SLOW_CLIENTS)
public final class ClientWaitRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    return new WaitFinding(id(), Effect.CLIENT_WAIT, Hypothesis.SLOW_CLIENTS)
        .findings(incident, "", Optional.empty());
  }
}
