package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertAll;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.gcdiag.diagnosis.Conclusion;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.diagnosis.Verdict;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.fixtures.Incidents;
import io.gcdiag.rules.Hypothesis;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every recorded incident against its {@code truth.json}, which is written by hand and proven by
 * removing the cause. If this fails, the diagnosis is wrong, not the truth.
 */
class TruthTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @Test
  void thereAreRecordedIncidents() {
    assertFalse(Incidents.all().isEmpty(), "no folder under fixtures/incidents has a truth.json");
  }

  @TestFactory
  Stream<DynamicTest> theDiagnosisOfEachIncidentIsItsTruth() {
    return Incidents.all().stream()
        .map(folder -> DynamicTest.dynamicTest(name(folder), () -> check(folder)));
  }

  private static String name(Path folder) {
    return folder.getFileName().toString();
  }

  private static void check(Path folder) throws IOException {
    JsonNode truth = JSON.readTree(folder.resolve(Incidents.TRUTH_FILE).toFile());
    Diagnosis diagnosis = diagnose(folder);
    Optional<String> expected =
        Optional.of(truth.get("primarySuspect")).filter(JsonNode::isTextual).map(JsonNode::asText);
    assertAll(
        () -> assertEquals(expected, diagnosis.primarySuspect().map(Hypothesis::id)),
        () ->
            assertEquals(
                expected.isPresent() ? Conclusion.PRIMARY_SUSPECT : Conclusion.HEALTHY,
                diagnosis.conclusion()),
        () -> verdicts(truth.get("contributing"), Verdict.CONTRIBUTING, diagnosis),
        () -> verdicts(truth.get("ruledOut"), Verdict.RULED_OUT, diagnosis));
  }

  private static void verdicts(JsonNode ids, Verdict expected, Diagnosis diagnosis) {
    for (JsonNode id : ids) {
      Verdict verdict =
          diagnosis.judgements().stream()
              .filter(judgement -> judgement.hypothesis().id().equals(id.asText()))
              .findFirst()
              .orElseThrow(() -> new AssertionError(id.asText() + " is not in the catalogue"))
              .verdict();
      // Where there is no trouble, nothing has to be ruled out: not indicated says as much.
      boolean clear =
          expected == Verdict.RULED_OUT
              && diagnosis.conclusion() == Conclusion.HEALTHY
              && verdict == Verdict.NOT_INDICATED;
      if (!clear) {
        assertEquals(expected, verdict, id.asText());
      }
    }
  }

  private static Diagnosis diagnose(Path folder) {
    return Analysis.run(
        new AnalysisRequest(
            List.of(new AnalysisRequest.Input(folder, Optional.empty())),
            OperatorFacts.none(),
            Optional.empty(),
            Optional.empty(),
            true));
  }
}
