package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.gcdiag.fixtures.Incident;
import io.gcdiag.fixtures.Incidents;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every recorded incident against its {@code truth.json}, which is written by hand and proven by
 * removing the cause. If this fails, the diagnosis is wrong, not the truth. What gcdiag does not
 * reach yet stands in the table of {@code docs/incidents.md}; it may not stand there for longer
 * than it is true.
 */
class TruthTest {

  @Test
  void thereAreRecordedIncidents() {
    assertFalse(Incidents.all().isEmpty(), "no folder under fixtures/incidents has a truth.json");
  }

  @TestFactory
  Stream<DynamicTest> theDiagnosisOfEachIncidentIsItsTruth() throws IOException {
    Set<String> notYetRight = IncidentTable.notYetRight(IncidentTable.committed());
    return Incidents.recorded().stream()
        .map(
            incident ->
                DynamicTest.dynamicTest(
                    incident.name(), () -> check(incident, notYetRight.contains(incident.name()))));
  }

  private static void check(Incident incident, boolean notYetRight) {
    List<String> differences = TruthCheck.differences(incident);
    if (notYetRight) {
      assertNotEquals(
          List.of(),
          differences,
          "this is right now: take it off the list with ./mvnw -B verify -Dapprove");
    } else {
      assertEquals(List.of(), differences);
    }
  }
}
