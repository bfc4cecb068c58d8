package io.gcdiag.accounts.waits;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.waits.Effect;
import java.util.List;
import java.util.Optional;

/**
 * Names where request threads wait for something that no other cause covers, by the waits of a
 * recording: a latch, a condition, a child process.
 */
// Parks, waits for monitors, reads of pipes, whichever there are.
@Judges(Hypothesis.NATIVE_OR_UNKNOWN)
public final class UnknownWaitsRule implements Rule {

  @Override
  public List<Finding> examine(Case incident) {
    return new WaitFinding(id(), Effect.OTHER_WAIT, Hypothesis.NATIVE_OR_UNKNOWN)
        .findings(incident, "", Optional.empty());
  }
}
