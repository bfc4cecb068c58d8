package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.fixtures.Incidents;
import io.gcdiag.fixtures.RecordedIncident;
import io.gcdiag.fixtures.Truth;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Verdict;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every recorded incident against its {@code truth.json}, which is written by hand and proven by
 * removing the cause. If this fails, the diagnosis is wrong, not the truth. What gcdiag does not
 * reach yet stands in the table of {@code docs/incidents.md}; it may not stand there for longer
 * than it is true.
 */
@Tag("slow")
@Tag("incidents")
class TruthTest {

  /** What is asked of the ranking, whatever stands in the table of what it does not reach. */
  private static final double LEAST_RIGHT = 0.9;

  @Test
  void thereAreRecordedIncidents() {
    assertFalse(Incidents.all().isEmpty(), "no folder under fixtures/incidents has a truth.json");
  }

  @Test
  void theFirstSuspectIsTheCauseOfNineIncidentsInTen() {
    List<RecordedIncident> affected =
        IncidentDiagnoses.all().stream()
            .filter(incident -> incident.truth().primarySuspect().isPresent())
            .toList();
    List<String> wrong =
        affected.stream()
            .filter(one -> !TruthCheck.answer(of(one)).equals(one.truth().primarySuspect().get()))
            .map(RecordedIncident::name)
            .toList();
    assertTrue(wrong.size() <= (1 - LEAST_RIGHT) * affected.size(), wrong.toString());
  }

  @Test
  void noHealthyRunHasASuspect() {
    assertEquals(
        List.of(),
        IncidentDiagnoses.all().stream()
            .filter(incident -> incident.truth().primarySuspect().isEmpty())
            .filter(
                incident -> of(incident).judgements().stream().anyMatch(TruthCheck::isSuspected))
            .map(RecordedIncident::name)
            .toList());
  }

  @Test
  void noTrueCauseIsRuledOut() {
    assertEquals(
        List.of(),
        IncidentDiagnoses.all().stream()
            .flatMap(
                incident ->
                    of(incident).judgements().stream()
                        .filter(judgement -> judgement.verdict() == Verdict.RULED_OUT)
                        .map(judgement -> judgement.hypothesis().id())
                        .filter(id -> isTrue(incident.truth(), id))
                        .map(id -> incident.name() + ": " + id))
            .toList());
  }

  private static Diagnosis of(RecordedIncident incident) {
    return IncidentDiagnoses.of(incident);
  }

  private static boolean isTrue(Truth truth, String id) {
    return truth.primarySuspect().filter(id::equals).isPresent()
        || truth.contributing().contains(id);
  }

  @TestFactory
  Stream<DynamicTest> theDiagnosisOfEachIncidentIsItsTruth() throws IOException {
    Set<String> notYetRight = IncidentTable.notYetRight(IncidentTable.committed());
    return IncidentDiagnoses.all().stream()
        .map(
            incident ->
                DynamicTest.dynamicTest(
                    incident.name(), () -> check(incident, notYetRight.contains(incident.name()))));
  }

  private static void check(RecordedIncident incident, boolean notYetRight) {
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
