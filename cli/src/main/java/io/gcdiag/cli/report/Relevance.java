package io.gcdiag.cli.report;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.causes.Causes;
import io.gcdiag.policy.Policy;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.List;

/** Which profiles matter for a cause: an allocation profile does not help with a lock. */
final class Relevance {

  static boolean ofAllocation(Diagnosis diagnosis) {
    return matters(diagnosis, Trait.SEEN_IN_ALLOCATION);
  }

  /** Workers that no stack shows waiting may all be busy computing. */
  static boolean ofCode(Diagnosis diagnosis) {
    return matters(diagnosis, Trait.SEEN_IN_CPU)
        || diagnosis.figures().waiting().kind().isEmpty()
            && matters(diagnosis, Trait.SEEN_IN_CPU_UNLESS_WAITING);
  }

  /** Of a heap that is too small requests wait for a connection, too. */
  static boolean ofWaiting(Diagnosis diagnosis) {
    return matters(diagnosis, Trait.SEEN_IN_WAITS)
        || diagnosis.lostTime().ledger().stream()
            .filter(entry -> !entry.atMost() && entry.effect().waitsFor().isPresent())
            .anyMatch(entry -> entry.share() >= Policy.NOTABLE);
  }

  /** If nothing is decided and there is no lead, any profile may help. */
  private static boolean matters(Diagnosis diagnosis, Trait trait) {
    boolean open = diagnosis.conclusion() == Conclusion.UNDECIDED;
    List<Judgement> followed =
        diagnosis.judgements().stream()
            .filter(judgement -> judgement.verdict().isSuspect() || open && judgement.isLead())
            .toList();
    return open && followed.isEmpty()
        || followed.stream().anyMatch(judgement -> Causes.of(judgement.hypothesis()).is(trait));
  }
}
