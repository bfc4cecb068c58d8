package io.gcdiag.fleet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.IncidentDiagnoses;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.properties.IncidentFiles;
import io.gcdiag.verdict.Diagnosis;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The recorded incidents as a fleet: each is one case, and one of each service has the verdict that
 * its folder has.
 */
@Tag("slow")
@Tag("incidents")
class FleetOfIncidentsTest {

  private static String verdict(CaseRow row) {
    return row.outcome() + " " + row.primary();
  }

  private static String verdict(Diagnosis diagnosis) {
    return CaseOutcome.of(diagnosis.conclusion()) + " " + diagnosis.primarySuspect();
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private static CaseRow row(FleetCase one) {
    return CaseAnalyst.analyse(one, new CaseKey(one.id(), "", ""), AnalysisRequest.of()).row();
  }

  @Test
  void verdictsOfTheFleetAreThoseOfTheIncidents() {
    Map<String, String> expected = new TreeMap<>();
    for (RecordedIncident incident : IncidentFiles.onePerService()) {
      expected.put(name(incident.folder()), verdict(IncidentDiagnoses.of(incident)));
    }
    Path root = Incidents.recorded().get(0).folder().getParent();
    List<FleetCase> cases =
        CaseFinder.find(List.of(root), CaseRoots.NONE, PathPattern.none(), List.of(), text -> text)
            .cases();
    assertEquals(
        Incidents.recorded().stream().map(one -> name(one.folder())).sorted().toList(),
        cases.stream().map(one -> name(one.folder())).sorted().toList());
    Map<String, String> found =
        cases.parallelStream()
            .filter(one -> expected.containsKey(name(one.folder())))
            .collect(
                Collectors.toMap(
                    one -> name(one.folder()),
                    one -> verdict(row(one)),
                    (one, other) -> one + " and " + other,
                    TreeMap::new));
    assertEquals(expected, found);
  }
}
