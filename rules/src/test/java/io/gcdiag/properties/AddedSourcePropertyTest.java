package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.properties.IncidentFiles.Kind;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * More files never turn a cause that was ruled out into a suspect, not even into one that
 * contributes, unless they hold evidence for it that was not there before: a finding that explains
 * time by that cause, or shows it, cites one of the new files, and is of a rule that did not speak
 * of the cause without them. A rule that had spoken against the cause reads the same fact again.
 *
 * <p>Held for every fourth incident and each of its sources added to all others; for one incident
 * of every sixth service every choice of sources and each one added to it; with {@code
 * -Dgcdiag.choices=all} for all incidents.
 */
@Tag("slow")
@Tag("incidents")
class AddedSourcePropertyTest {

  private static final boolean IS_ALL = "all".equals(System.getProperty("gcdiag.choices"));

  /** Some files of an incident, and those of one more kind. */
  private record Addition(
      RecordedIncident incident, List<Path> before, Kind added, List<Path> more) {

    private List<Path> all() {
      return Stream.concat(before.stream(), more.stream()).toList();
    }

    /** Causes that were ruled out and are suspects now, on nothing new. */
    private Stream<String> turned() {
      Diagnosis fewer = IncidentFiles.diagnose(before);
      Diagnosis all = IncidentFiles.diagnose(all());
      Set<String> files = Set.copyOf(IncidentFiles.names(more));
      return all.judgements().stream()
          .filter(AddedSourcePropertyTest::isSuspected)
          .filter(now -> of(fewer, now.hypothesis()).verdict() == Verdict.RULED_OUT)
          .filter(now -> !hasNewEvidence(of(fewer, now.hypothesis()), now, files))
          .map(
              now ->
                  incident.name()
                      + " "
                      + IncidentFiles.names(before)
                      + ": "
                      + added
                      + " turns "
                      + now.hypothesis().id()
                      + " into "
                      + now.verdict());
    }
  }

  @Test
  void thereAreManyAdditions() {
    // Three sources have 9 ways to add one to some, four have 28 and five 75.
    List<RecordedIncident> whole = whole();
    long additions = whole.stream().mapToLong(incident -> additions(incident).size()).sum();
    assertTrue(additions > 20 * whole.size(), "" + additions);
    assertTrue(
        some().stream().filter(incident -> additions(incident).size() >= 3).count() > whole.size());
  }

  @Test
  void aCauseThatWasRuledOutBecomesASuspectOnNewEvidenceOnly() {
    assertEquals(
        List.of(),
        some().parallelStream()
            .flatMap(incident -> additions(incident).stream().flatMap(Addition::turned))
            .sorted()
            .distinct()
            .toList());
  }

  private static List<RecordedIncident> some() {
    List<RecordedIncident> all = Incidents.recorded();
    return IntStream.range(0, all.size())
        .filter(place -> IS_ALL || place % 4 == 0 || whole().contains(all.get(place)))
        .mapToObj(all::get)
        .toList();
  }

  /** Those of which every choice is made. */
  private static List<RecordedIncident> whole() {
    List<RecordedIncident> services = IncidentFiles.onePerService();
    return IntStream.range(0, services.size())
        .filter(place -> place % 6 == 0)
        .mapToObj(services::get)
        .toList();
  }

  private static List<Addition> additions(RecordedIncident incident) {
    List<Addition> additions = new ArrayList<>();
    TreeMap<Kind, List<Path>> files = IncidentFiles.of(incident);
    boolean every = IS_ALL || whole().contains(incident);
    for (TreeMap<Kind, List<Path>> some : every ? IncidentFiles.choices(files) : List.of(files)) {
      some.keySet().forEach(added -> add(additions, incident, some, added));
    }
    return additions;
  }

  private static void add(
      List<Addition> additions,
      RecordedIncident incident,
      TreeMap<Kind, List<Path>> kinds,
      Kind added) {
    TreeMap<Kind, List<Path>> fewer = new TreeMap<>(kinds);
    List<Path> more = fewer.remove(added);
    if (!fewer.isEmpty()) {
      additions.add(new Addition(incident, IncidentFiles.flat(fewer.values()), added, more));
    }
  }

  private static Judgement of(Diagnosis diagnosis, Hypothesis hypothesis) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.hypothesis() == hypothesis)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isSuspected(Judgement judgement) {
    return judgement.verdict() == Verdict.PRIMARY_SUSPECT
        || judgement.verdict() == Verdict.CONTRIBUTING;
  }

  /** Whether one of the files is the source of something new that speaks for the cause. */
  private static boolean hasNewEvidence(Judgement before, Judgement now, Set<String> files) {
    Set<String> spoke = before.findings().stream().map(Finding::rule).collect(Collectors.toSet());
    return now.findings().stream()
        .filter(finding -> !spoke.contains(finding.rule()))
        .filter(finding -> speaksFor(finding, now.hypothesis()))
        .flatMap(finding -> finding.sources().stream())
        .anyMatch(source -> files.contains(source.file()));
  }

  private static boolean speaksFor(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().stream()
        .filter(bearing -> bearing.hypothesis() == hypothesis)
        .anyMatch(
            bearing -> bearing instanceof Bearing.Explains || bearing instanceof Bearing.Proves);
  }
}
