package io.gcdiag;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.units.Durations;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What was said of each run when it was asked for the first time, and what is said today: the table
 * of {@code docs/blind-test.md}, and the rows behind it.
 */
final class OnceBlindTable {

  private OnceBlindTable() {}

  static String table(List<PartialAnswer> answers) {
    StringBuilder text =
        new StringBuilder(
            """
            ## Today

            | files | incidents | right | open | wrong | healthy runs | healthy | open | suspect |
            |---|---:|---:|---:|---:|---:|---:|---:|---:|
            """);
    for (Part part : PartialAnswer.USUAL) {
      text.append("| ").append(part.words());
      for (boolean incident : List.of(true, false)) {
        List<PartialAnswer> half =
            answers.stream()
                .filter(one -> one.part() == part && one.ofIncident() == incident)
                .toList();
        text.append(" | ").append(half.size());
        for (Grade grade : Grade.values()) {
          text.append(" | ").append(half.stream().filter(one -> one.grade() == grade).count());
        }
      }
      text.append(" |\n");
    }
    return text.toString();
  }

  /** Run by run. */
  static String rows(List<PartialAnswer> answers) {
    StringBuilder text =
        new StringBuilder(
            """
            | run | P99 in the incident → fixed | the cause | files | first answer | today |
            |---|---|---|---|---|---|
            """);
    answers.stream().map(OnceBlindTable::row).forEach(text::append);
    return text.toString();
  }

  private static String row(PartialAnswer answer) {
    RecordedIncident run = answer.incident();
    Truth truth = run.truth();
    boolean first = answer.part() == Part.ALL;
    return "| %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            first ? "`" + run.name() + "`" : "",
            first ? p99(truth) : "",
            first ? truth.primarySuspect().orElse(TruthCheck.HEALTHY) : "",
            answer.part().words(),
            truth.firstAnswers().getOrDefault(answer.part().words(), "–"),
            answer.said() + (answer.grade() == Grade.WRONG ? " (wrong)" : ""));
  }

  private static String p99(Truth truth) {
    String fixed = millis(truth.p99FixedMillis());
    return truth.p99TroubleMillis().isPresent()
        ? millis(truth.p99TroubleMillis()) + " → " + fixed
        : fixed;
  }

  private static String millis(OptionalDouble value) {
    return value.isPresent() ? Durations.format(value.getAsDouble() / 1000) : "–";
  }
}
