package io.gcdiag.causes.waits;

import io.gcdiag.books.CombinedRule;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;

/** Names where request threads stand or wait, whatever it is that they wait for. */
final class UnknownWaitsRule implements CombinedRule {

  /** The waits of a recording that no other cause covers: a latch, a condition, a child process. */
  // Parks, waits for monitors, reads of pipes, whichever there are.
  @Judges(Hypothesis.NATIVE_OR_UNKNOWN)
  private record Recorded(String id) implements Rule {

    @Override
    public List<Finding> examine(Case incident) {
      return new WaitFinding(id, Effect.OTHER_WAIT, Hypothesis.NATIVE_OR_UNKNOWN)
          .findings(incident, "", Optional.empty());
    }
  }

  @Override
  public List<Rule> sensors() {
    return List.of(new SharedFrame(id()), new Recorded(id()));
  }
}
