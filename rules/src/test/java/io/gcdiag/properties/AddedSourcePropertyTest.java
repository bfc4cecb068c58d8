package io.gcdiag.properties;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Judgement;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.fixtures.Incident;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.properties.IncidentFiles.Kind;
import io.gcdiag.rules.Bearing;
import io.gcdiag.rules.Finding;
import io.gcdiag.rules.Hypothesis;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * More files never turn a cause that was ruled out into a suspect, unless the new files hold
 * evidence for it: a finding that explains time by that cause, or shows it, and cites one of them.
 * Held for every incident and each kind of source that it has, with no exception.
 */
class AddedSourcePropertyTest {

  @Test
  void aCauseThatWasRuledOutBecomesASuspectOnNewEvidenceOnly() {
    assertEquals(
        List.of(),
        Incidents.recorded().parallelStream()
            .flatMap(AddedSourcePropertyTest::turned)
            .sorted()
            .toList());
  }

  private static Stream<String> turned(Incident incident) {
    TreeMap<Kind, List<Path>> files = IncidentFiles.of(incident);
    Diagnosis all = IncidentFiles.diagnose(IncidentFiles.flat(files.values()));
    List<String> turned = new ArrayList<>();
    for (Kind added : files.keySet()) {
      TreeMap<Kind, List<Path>> fewer = new TreeMap<>(files);
      fewer.remove(added);
      if (!fewer.isEmpty()) {
        Set<Hypothesis> out =
            verdict(IncidentFiles.diagnose(IncidentFiles.flat(fewer.values())), Verdict.RULED_OUT);
        out.retainAll(verdict(all, Verdict.PRIMARY_SUSPECT));
        Set<String> names = Set.copyOf(IncidentFiles.names(files.get(added)));
        for (Hypothesis hypothesis : out) {
          if (!hasEvidence(all, hypothesis, names)) {
            turned.add(incident.name() + ": " + added + " turns " + hypothesis.id());
          }
        }
      }
    }
    return turned.stream();
  }

  private static Set<Hypothesis> verdict(Diagnosis diagnosis, Verdict verdict) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.verdict() == verdict)
        .map(Judgement::hypothesis)
        .collect(Collectors.toSet());
  }

  /** Whether one of the files is the source of something that speaks for the cause. */
  private static boolean hasEvidence(Diagnosis all, Hypothesis hypothesis, Set<String> files) {
    return all.judgements().stream()
        .filter(judgement -> judgement.hypothesis() == hypothesis)
        .flatMap(judgement -> judgement.findings().stream())
        .filter(finding -> speaksFor(finding, hypothesis))
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
