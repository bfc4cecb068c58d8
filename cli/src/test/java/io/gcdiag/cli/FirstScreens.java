package io.gcdiag.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Edit;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.units.Bytes;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Whether the first screen names the guilty place and an edit that is the fix: for each incident
 * with a cause, against what {@code truth.json} says of both by hand. The table that it prints
 * names those that fail.
 */
final class FirstScreens {

  /** What is asked of all incidents together; those that fail are listed and not excused. */
  private static final int LEAST_PLACES = 45;

  private static final int LEAST_EDITS = 40;

  /** Lines of a terminal that are seen without scrolling, and a few. */
  private static final int SCREEN = 30;

  private record Row(
      String name, boolean place, boolean edit, String where, String change, String wanted) {}

  private final List<RecordedIncident> incidents = Incidents.recorded();
  private final Map<String, Row> rows = new ConcurrentSkipListMap<>();

  /** Notes what is said of an incident; of one without a cause there is nothing to name. */
  void add(Path folder, Diagnosis diagnosis, String report) {
    incidents.stream()
        .filter(incident -> incident.folder().equals(folder))
        .filter(incident -> incident.truth().edit().isPresent())
        .forEach(incident -> rows.put(incident.name(), row(incident, diagnosis, report)));
  }

  void check() {
    // An edit in code says nothing without the place to make it at.
    assertEquals(
        List.of(),
        incidents.stream()
            .filter(
                incident ->
                    incident
                        .truth()
                        .edit()
                        .filter(edit -> edit.kind().contains("code") && edit.name().isEmpty())
                        .isPresent())
            .map(RecordedIncident::name)
            .toList());
    String table =
        rows.values().stream()
            .map(
                row ->
                    (row.place() ? "place " : "----- ")
                        + (row.edit() ? "edit " : "---- ")
                        + row.name()
                        + " | "
                        + row.where()
                        + " | "
                        + row.change()
                        + (row.place() && row.edit() ? "" : " | wanted " + row.wanted()))
            .collect(Collectors.joining("\n"));
    long places = rows.values().stream().filter(Row::place).count();
    long edits = rows.values().stream().filter(Row::edit).count();
    String sum = places + " places and " + edits + " edits of " + rows.size() + " incidents\n";
    System.out.println(sum + table);
    assertTrue(places >= LEAST_PLACES && edits >= LEAST_EDITS, () -> sum + table);
  }

  private static Row row(RecordedIncident incident, Diagnosis diagnosis, String report) {
    String screen = words(report.lines().limit(SCREEN).collect(Collectors.joining("\n")));
    Advice advice =
        diagnosis.judgements().stream()
            .filter(one -> diagnosis.primarySuspect().equals(Optional.of(one.hypothesis())))
            .map(Judgement::advice)
            .findFirst()
            .orElse(Advice.NONE);
    String where = advice.place().map(Object::toString).orElse("");
    String change = Edit.together(advice.edits());
    Truth truth = incident.truth();
    return new Row(
        incident.name(),
        screen.contains(words(where))
            && truth.place().stream().allMatch(part -> Pattern.compile(part).matcher(where).find()),
        screen.contains(words(change)) && isTheFix(advice.edits(), change, truth.edit().get()),
        where,
        change,
        truth.primarySuspect().orElse("") + " " + truth.place() + " " + truth.edit().get());
  }

  private static boolean isTheFix(List<Edit> edits, String change, Truth.Edit fix) {
    return edits.stream()
        .anyMatch(
            edit ->
                edit.kind().id().matches(fix.kind())
                    && finds(fix.name(), edit.name())
                    && finds(fix.says(), change)
                    && (fix.from().isEmpty() || fix.from().equals(edit.from()))
                    && fix.least().map(least -> size(edit.to()) >= size(least)).orElse(true));
  }

  private static boolean finds(Optional<String> pattern, String text) {
    return pattern.map(one -> Pattern.compile(one).matcher(text).find()).orElse(true);
  }

  private static long size(String text) {
    return text.matches("\\d+[kmg]?") ? Bytes.parse(text).value() : 0;
  }

  /** What is broken over lines is one text. */
  private static String words(String text) {
    return text.replaceAll("\\s+", " ").strip();
  }
}
