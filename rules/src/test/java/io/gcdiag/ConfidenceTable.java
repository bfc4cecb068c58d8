package io.gcdiag;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.verdict.Confidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The table of {@code docs/reference/confidence.md}: how often the suspects of each level were
 * right, in runs that gcdiag had not seen, and today.
 */
final class ConfidenceTable {

  private ConfidenceTable() {}

  static String table(List<PartialAnswer> answers) {
    StringBuilder text =
        new StringBuilder(
            """
            | files | confidence | right when first asked | right today |
            |---|---|---:|---:|
            """);
    for (Part part : PartialAnswer.USUAL) {
      List<PartialAnswer> of = answers.stream().filter(one -> one.part() == part).toList();
      for (Confidence confidence : Confidence.values()) {
        text.append(
            "| %s | %s | %s | %s |\n"
                .formatted(
                    part.words(), confidence.id(), first(of, confidence), today(of, confidence)));
      }
    }
    return text.toString();
  }

  private static String today(List<PartialAnswer> answers, Confidence confidence) {
    return of(
        answers.stream()
            .filter(one -> one.confidence().equals(Optional.of(confidence)))
            .map(one -> one.grade() == Grade.RIGHT)
            .toList());
  }

  /** A first answer is written as {@code lock-contention or slow-downstream, medium}. */
  private static String first(List<PartialAnswer> answers, Confidence confidence) {
    List<Boolean> right = new ArrayList<>();
    for (PartialAnswer answer : answers) {
      Truth truth = answer.incident().truth();
      String first = truth.firstAnswers().getOrDefault(answer.part().words(), "");
      if (first.endsWith(", " + confidence.id())) {
        String suspect = first.split(" or |, ")[0];
        right.add(
            truth.primarySuspect().equals(Optional.of(suspect))
                || truth.accepted().contains(suspect)
                || suspect.equals(truth.parts().get(answer.part().words())));
      }
    }
    return of(right);
  }

  private static String of(List<Boolean> right) {
    return right.isEmpty()
        ? "–"
        : right.stream().filter(one -> one).count() + " of " + right.size();
  }
}
