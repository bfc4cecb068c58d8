package io.gcdiag;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.units.Durations;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;

/**
 * The tables of {@code docs/blind-test.md}: what was said of each run when it was asked for the
 * first time, and what is said today.
 */
final class OnceBlindTable {

  /** Between these two lines the page is generated. */
  private static final String START = "<!-- tables:start -->\n";

  private static final String END = "<!-- tables:end -->";

  /** What users are most often left with. */
  private static final List<Part> PARTS =
      List.of(Part.ALL, Part.RECORDING, Part.LOG_AND_DUMPS, Part.LOAD_AND_DUMPS);

  private OnceBlindTable() {}

  static Path page() {
    return IncidentTable.page().resolveSibling("blind-test.md");
  }

  static String renewed(String page, List<PartialAnswer> answers) {
    int from = page.indexOf(START) + START.length();
    return page.substring(0, from) + tables(answers) + page.substring(page.indexOf(END));
  }

  private static String tables(List<PartialAnswer> answers) {
    StringBuilder text =
        new StringBuilder(
            """
            ## Today

            | files | incidents | right | open | wrong | healthy runs | healthy | open | suspect |
            |---|---:|---:|---:|---:|---:|---:|---:|---:|
            """);
    for (Part part : PARTS) {
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
    text.append(
        """

        ## Run by run

        | run | P99 in the incident → fixed | the cause | files | first answer | today |
        |---|---|---|---|---|---|
        """);
    answers.stream()
        .filter(answer -> PARTS.contains(answer.part()))
        .map(OnceBlindTable::row)
        .forEach(text::append);
    return text.toString();
  }

  private static String row(PartialAnswer answer) {
    RecordedIncident run = answer.incident();
    Truth truth = run.truth();
    boolean first = answer.part() == Part.ALL;
    return "| %s | %s | %s | %s | %s | %s |\n"
        .formatted(
            first ? "[`%s`](../fixtures/blind/%s/README.md)".formatted(run.name(), run.name()) : "",
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
