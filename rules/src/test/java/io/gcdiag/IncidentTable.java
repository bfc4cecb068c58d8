package io.gcdiag;

import io.gcdiag.PartialAnswer.Grade;
import io.gcdiag.PartialAnswer.Part;
import io.gcdiag.fixtures.RecordedFigures;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnosis;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tables of {@code docs/incidents.md}, with what gcdiag does not get right yet, and the rows
 * behind them: every incident with its proof, and the healthy runs.
 */
final class IncidentTable {

  /** Below {@code docs}. */
  static final String PAGE = "incidents.md";

  private static final String NOT_YET_RIGHT = "## Not yet right\n";
  private static final Pattern NAME_IN_LIST = Pattern.compile("(?m)^\\| `([^`]+)` \\|");
  private static final String UNKNOWN = "–";

  private IncidentTable() {}

  static String committed() throws IOException {
    return Files.readString(TablePage.docs(PAGE));
  }

  /** The incidents that the page lists as not yet right. */
  static Set<String> notYetRight(String page) {
    Set<String> names = new TreeSet<>();
    int from = page.indexOf(NOT_YET_RIGHT);
    if (from >= 0) {
      Matcher name = NAME_IN_LIST.matcher(page.substring(from));
      while (name.find()) {
        names.add(name.group(1));
      }
    }
    return names;
  }

  static String tables(List<RecordedIncident> incidents) {
    List<RecordedIncident> troubled =
        incidents.stream().filter(one -> one.truth().primarySuspect().isPresent()).toList();
    List<RecordedIncident> healthy =
        incidents.stream().filter(one -> one.truth().primarySuspect().isEmpty()).toList();
    List<RecordedIncident> wrong =
        incidents.stream().filter(one -> !TruthCheck.differences(one).isEmpty()).toList();
    return summary(troubled, healthy, wrong)
        + "\n"
        + parts(PartialAnswer.of(incidents, EnumSet.allOf(Part.class)))
        + "\n"
        + NOT_YET_RIGHT
        + "\n"
        + list(wrong);
  }

  /** A row for each incident. */
  static String rows(List<RecordedIncident> incidents) {
    List<RecordedIncident> troubled =
        incidents.stream().filter(one -> one.truth().primarySuspect().isPresent()).toList();
    List<RecordedIncident> healthy =
        incidents.stream().filter(one -> one.truth().primarySuspect().isEmpty()).toList();
    return "## Incidents\n\n"
        + "| incident | real parts | JDK, collector, recording | P99 in the incident → fixed |"
        + " answered/s in the incident → fixed | the cause | gcdiag says |\n"
        + "|---|---|---|---|---|---|---|\n"
        + troubled.stream().map(IncidentTable::row).collect(Collectors.joining())
        + "\n## Healthy runs\n\n"
        + "Runs whose name ends in `-fixed` are the incident of that name with only the cause"
        + " removed.\n\n"
        + "| run | real parts | JDK, collector, recording | P99 | answered/s | gcdiag says |\n"
        + "|---|---|---|---|---|---|\n"
        + healthy.stream().map(IncidentTable::healthyRow).collect(Collectors.joining());
  }

  private static String summary(
      List<RecordedIncident> troubled,
      List<RecordedIncident> healthy,
      List<RecordedIncident> wrong) {
    return "Of "
        + troubled.size()
        + " incidents the first row is right in "
        + troubled.stream().filter(IncidentTable::firstRowRight).count()
        + "; of "
        + healthy.size()
        + " healthy runs "
        + healthy.stream().filter(IncidentTable::firstRowRight).count()
        + " are called healthy. "
        + wrong.size()
        + " of all differ from their truth in some verdict.\n";
  }

  /** What comes out of some of the files, and what the stated confidence was worth. */
  private static String parts(List<PartialAnswer> answers) {
    StringBuilder rows =
        new StringBuilder(
            """
            ## With fewer files

            Each incident is also diagnosed from parts of its files. `truth.json` states by hand what can be known
            from each: the cause, or that these files cannot show it. Right is an answer that says so, or names the
            cause or an unseparated pair that holds it; open is one that says less; wrong is a suspect with no part
            in it, or health where there is none. Of healthy runs, open are those called undecided.

            | files | incidents | right | open | wrong | healthy runs | healthy | open | suspect |
            |---|---:|---:|---:|---:|---:|---:|---:|---:|
            """);
    for (Part part : Part.values()) {
      List<PartialAnswer> of = answers.stream().filter(one -> one.part() == part).toList();
      rows.append("| ").append(part.words());
      for (boolean incident : List.of(true, false)) {
        List<PartialAnswer> half = of.stream().filter(o -> o.ofIncident() == incident).toList();
        rows.append(" | ").append(half.size());
        for (Grade grade : Grade.values()) {
          rows.append(" | ").append(half.stream().filter(one -> one.grade() == grade).count());
        }
      }
      rows.append(" |\n");
    }
    rows.append(
        """

        ## What the confidence is worth

        Every primary suspect named in the table above, by the confidence stated with it.

        | confidence | suspects named | right | share |
        |---|---:|---:|---:|
        """);
    for (Confidence confidence : Confidence.values()) {
      List<PartialAnswer> named =
          answers.stream().filter(one -> one.confidence().equals(Optional.of(confidence))).toList();
      long right = named.stream().filter(one -> one.grade() == Grade.RIGHT).count();
      rows.append(
          "| %s | %d | %d | %s |\n"
              .formatted(
                  confidence.id(),
                  named.size(),
                  right,
                  named.isEmpty() ? UNKNOWN : new Ratio((double) right / named.size())));
    }
    return rows.toString();
  }

  private static boolean firstRowRight(RecordedIncident incident) {
    return says(incident).equals(expected(incident));
  }

  private static String expected(RecordedIncident incident) {
    return incident.truth().primarySuspect().orElse(TruthCheck.HEALTHY);
  }

  private static String says(RecordedIncident incident) {
    return TruthCheck.answer(IncidentDiagnoses.of(incident));
  }

  private static String row(RecordedIncident incident) {
    Truth truth = incident.truth();
    return start(incident)
        + arrow(truth.p99TroubleMillis(), truth.p99FixedMillis(), " ms")
        + " | "
        + arrow(truth.okPerSecondTrouble(), truth.okPerSecondFixed(), "")
        + " | "
        + expected(incident)
        + " | "
        + says(incident)
        + " |\n";
  }

  private static String healthyRow(RecordedIncident incident) {
    return start(incident)
        + number(
            incident
                .figures()
                .map(figures -> figures.trouble().p99Millis())
                .orElse(fixed(incident)),
            " ms")
        + " | "
        + number(
            incident
                .figures()
                .map(figures -> figures.trouble().okPerSecond())
                .orElse(incident.truth().okPerSecondFixed()),
            "")
        + " | "
        + says(incident)
        + " |\n";
  }

  private static OptionalDouble fixed(RecordedIncident incident) {
    return incident.truth().p99FixedMillis();
  }

  private static String start(RecordedIncident incident) {
    Diagnosis diagnosis = IncidentDiagnoses.of(incident);
    String jvm =
        incident
            .figures()
            .map(figures -> figures.jdk() + ", " + figures.collector() + ", " + settings(figures))
            .orElse(
                diagnosis.jvm().version().orElse(UNKNOWN)
                    + ", "
                    + diagnosis.jvm().collector().orElse(UNKNOWN));
    String parts =
        incident.figures().map(figures -> String.join(", ", figures.parts())).orElse(UNKNOWN);
    return "| `%s` | %s | %s | ".formatted(incident.name(), parts, jvm);
  }

  private static String settings(RecordedFigures figures) {
    return figures.recording().equals("none") ? "no recording" : figures.recording();
  }

  private static String list(List<RecordedIncident> wrong) {
    if (wrong.isEmpty()) {
      return "Nothing.\n";
    }
    StringBuilder rows =
        new StringBuilder("| incident | the truth | what differs |\n|---|---|---|\n");
    for (RecordedIncident incident : wrong) {
      rows.append("| `")
          .append(incident.name())
          .append("` | ")
          .append(expected(incident))
          .append(" | ")
          .append(String.join("; ", TruthCheck.differences(incident)))
          .append(" |\n");
    }
    return rows.toString();
  }

  private static String arrow(OptionalDouble before, OptionalDouble after, String unit) {
    return before.isEmpty() && after.isEmpty()
        ? UNKNOWN
        : number(before, unit) + " → " + number(after, unit);
  }

  private static String number(OptionalDouble value, String unit) {
    return value.isPresent() ? Numbers.threeDigits(value.getAsDouble()) + unit : UNKNOWN;
  }
}
