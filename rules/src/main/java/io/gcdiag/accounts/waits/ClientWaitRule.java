package io.gcdiag.accounts.waits;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.Effect;
import java.util.List;
import java.util.Set;

/** Asks whether request threads wait for clients that read or send slowly. */
public final class ClientWaitRule implements Rule {

  /** Waits of a recording or dumps, whichever there are. */
  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.SLOW_CLIENTS);
  }

  @Override
  public List<Finding> examine(Case incident) {
    return new WaitFinding(id(), Effect.CLIENT_WAIT, "slow clients")
        .explains(incident, Hypothesis.SLOW_CLIENTS, "");
  }
}
