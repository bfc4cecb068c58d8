package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.fixtures.PublicCase;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.ReadOptions;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Stacks and logs of published incidents: the cause named first is one that an expert would accept,
 * as a suspect or, where such small inputs prove nothing, as the first lead.
 */
@Tag("slow")
class PublicCasesTest {

  private static final double LEAST_RIGHT = 0.9;
  private static final int FEWEST = 30;

  private static final Map<PublicCase, Diagnosis> DIAGNOSES =
      new TreeMap<>((one, other) -> one.name().compareTo(other.name()));

  @BeforeAll
  static void analyse() {
    PublicCase.all().forEach(one -> DIAGNOSES.put(one, diagnosis(one)));
  }

  private static Diagnosis diagnosis(PublicCase one) {
    List<Ingest.Request> requests =
        one.inputs().stream()
            .map(file -> new Ingest.Request(file, Optional.empty(), Optional.empty()))
            .toList();
    return Diagnoser.diagnose(
        Ingest.read(requests, OperatorFacts.none(), Redactor.hiding(), ReadOptions.STANDARD),
        Optional.empty(),
        Optional.empty());
  }

  private static Stream<Judgement> suspects(Diagnosis diagnosis) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.verdict() == Verdict.PRIMARY_SUSPECT);
  }

  private static List<String> answer(Diagnosis diagnosis) {
    List<String> suspects = suspects(diagnosis).map(one -> one.hypothesis().id()).toList();
    return suspects.isEmpty()
        ? diagnosis.judgements().stream()
            .filter(Judgement::isLead)
            .map(one -> one.hypothesis().id())
            .limit(1)
            .toList()
        : suspects;
  }

  private static boolean isRight(PublicCase one) {
    List<String> answer = answer(DIAGNOSES.get(one));
    return one.causes().isEmpty()
        ? suspects(DIAGNOSES.get(one)).findAny().isEmpty()
        : answer.stream().anyMatch(one.causes()::contains);
  }

  @Test
  void nineInTenAreAnsweredAsAnExpertWould() {
    assertTrue(DIAGNOSES.size() >= FEWEST, "cases: " + DIAGNOSES.size());
    List<String> wrong =
        DIAGNOSES.keySet().stream()
            .filter(one -> !isRight(one))
            .map(one -> one.name() + ": " + answer(DIAGNOSES.get(one)))
            .toList();
    assertTrue(wrong.size() <= (1 - LEAST_RIGHT) * DIAGNOSES.size(), wrong.toString());
  }

  @Test
  void noSuspectIsWrong() {
    assertEquals(
        List.of(),
        DIAGNOSES.keySet().stream()
            .filter(one -> suspects(DIAGNOSES.get(one)).findAny().isPresent() && !isRight(one))
            .map(PublicCase::name)
            .toList());
  }

  @Test
  void aSuspectOfSoLittleIsNeverCertain() {
    assertEquals(
        List.of(),
        DIAGNOSES.keySet().stream()
            .filter(
                one ->
                    suspects(DIAGNOSES.get(one))
                        .anyMatch(
                            suspect ->
                                suspect
                                    .rating()
                                    .confidence()
                                    .filter(Confidence.HIGH::equals)
                                    .isPresent()))
            .map(PublicCase::name)
            .toList());
  }

  @Test
  void eachCaseSaysWhereItWasPublishedAndAcceptsCausesOfTheCatalogue() {
    List<String> ids = Hypothesis.catalogue().stream().map(Hypothesis::id).toList();
    for (PublicCase one : DIAGNOSES.keySet()) {
      assertTrue(one.origin().startsWith("http"), one.name());
      assertTrue(ids.containsAll(one.causes()), one.name() + ": " + one.causes());
    }
  }
}
