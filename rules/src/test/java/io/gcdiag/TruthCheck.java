package io.gcdiag;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.verdict.Conclusion;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Holds a diagnosis against the truth and says in words where they differ. */
final class TruthCheck {

  static final String HEALTHY = "healthy";

  private TruthCheck() {}

  /** Where the diagnosis of an incident is not its truth; empty if it is right. */
  static List<String> differences(RecordedIncident incident) {
    Truth truth = incident.truth();
    Diagnosis diagnosis = IncidentDiagnoses.of(incident);
    List<String> differences = new ArrayList<>();
    String expected = truth.primarySuspect().orElse(HEALTHY);
    if (!expected.equals(answer(diagnosis))) {
      differences.add(answer(diagnosis) + " comes out");
    }
    for (String id : truth.contributing()) {
      // Of two causes that cost about the same both may be the primary suspect.
      verdict(diagnosis, id)
          .filter(verdict -> !verdict.isSuspect())
          .ifPresent(verdict -> differences.add(words(id, verdict) + " and not contributing"));
    }
    diagnosis.judgements().stream()
        .filter(TruthCheck::isSuspected)
        .map(judgement -> judgement.hypothesis().id())
        .filter(id -> !id.equals(expected) && !truth.contributing().contains(id))
        .forEach(id -> differences.add(id + " is named and has no part in it"));
    for (String id : truth.ruledOut()) {
      verdict(diagnosis, id)
          .filter(verdict -> !clears(verdict, diagnosis))
          .ifPresent(verdict -> differences.add(words(id, verdict) + " and not ruled out"));
    }
    for (String statement : truth.statements()) {
      if (!isStated(diagnosis, Pattern.compile(statement).asPredicate())) {
        differences.add("nothing says: " + statement);
      }
    }
    return differences;
  }

  private static boolean isStated(Diagnosis diagnosis, Predicate<String> statement) {
    return diagnosis.judgements().stream()
        .flatMap(judgement -> judgement.findings().stream())
        .map(Finding::statement)
        .anyMatch(statement);
  }

  static boolean isSuspected(Judgement judgement) {
    return judgement.verdict().isSuspect();
  }

  /** The answer in one word: the primary suspect's id, or what there is in place of one. */
  static String answer(Diagnosis diagnosis) {
    return diagnosis
        .primarySuspect()
        .map(Hypothesis::id)
        .orElse(diagnosis.conclusion().name().toLowerCase(Locale.ROOT));
  }

  /**
   * A look-alike of which nothing is seen is cleared as well as one with evidence against it. In a
   * healthy run, data that is not needed clears it too.
   */
  private static boolean clears(Verdict verdict, Diagnosis diagnosis) {
    boolean healthy = diagnosis.conclusion() == Conclusion.HEALTHY;
    return verdict == Verdict.RULED_OUT
        || verdict == Verdict.NOT_INDICATED
        || healthy && verdict == Verdict.NOT_ENOUGH_DATA;
  }

  /** A root cause that is not in the catalogue yet has no verdict that could be wrong. */
  private static Optional<Verdict> verdict(Diagnosis diagnosis, String id) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.hypothesis().id().equals(id))
        .findFirst()
        .map(Judgement::verdict);
  }

  private static String words(String id, Verdict verdict) {
    return id + " is " + verdict.id();
  }
}
