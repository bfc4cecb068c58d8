package io.gcdiag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.fixtures.SampleFiles;
import io.gcdiag.units.Rate;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The figures of published write-ups as files: what they say has to come out. */
@Tag("slow")
class WriteUpFiguresTest {

  private static Diagnosis diagnosis(String name, OperatorFacts facts) {
    return Analysis.run(
        AnalysisRequest.of(
                SampleFiles.file("README.md").getParent().resolveSibling("write-ups").resolve(name))
            .knowing(facts));
  }

  private static Judgement of(Diagnosis diagnosis, Hypothesis cause) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.hypothesis() == cause)
        .findFirst()
        .orElseThrow();
  }

  private static String statements(Judgement judgement) {
    return judgement.findings().stream().map(Finding::statement).collect(Collectors.joining("\n"));
  }

  private static Optional<Hypothesis> suspectOrLead(Diagnosis diagnosis) {
    return diagnosis.judgements().stream()
        .filter(one -> one.verdict() == Verdict.PRIMARY_SUSPECT || one.isLead())
        .map(Judgement::hypothesis)
        .findFirst();
  }

  /**
   * 202 of 256 MB used, expanded to 339 MB by MinHeapFreeRatio, 189 threads at a pool of ten that
   * needs 800/s x 4.32 ms = 3.46.
   */
  @Test
  void memoryPressureStarvesThePoolAndTheFreeRatioBeforeTheExpansionIsNamed() {
    Diagnosis diagnosis =
        diagnosis(
            "rca",
            new OperatorFacts(
                Optional.of(new Rate(800)),
                OptionalInt.of(10),
                Optional.of(Duration.ofNanos(4_320_000))));
    assertEquals(Optional.of(Hypothesis.MEMORY_PRESSURE), suspectOrLead(diagnosis));
    String evidence = statements(of(diagnosis, Hypothesis.MEMORY_PRESSURE));
    assertTrue(
        evidence.contains(
            "21.1 % of the heap was free when the JVM expanded it from 256 MiB to 339 MiB at"
                + " 01:14:07 UTC"),
        evidence);
    assertEquals(Verdict.RULED_OUT, of(diagnosis, Hypothesis.CONNECTION_POOL_UNDERSIZED).verdict());
  }

  /** 120/s x 23.7 MiB; 275 pauses are 5.4 % of the time, requests went from 60 ms to 2.5 s. */
  @Test
  void pausesOfATwentiethOfTheTimeDoNotExplainSecondsOfLatency() {
    Diagnosis diagnosis = diagnosis("parnew", OperatorFacts.none());
    assertEquals(Optional.of(Hypothesis.ALLOCATION_CHURN), suspectOrLead(diagnosis));
    Judgement churn = of(diagnosis, Hypothesis.ALLOCATION_CHURN);
    assertTrue(statements(churn).contains("23.7 MiB per request"), statements(churn));
    assertTrue(churn.share().explained().orElse(0) < 0.1, "share: " + churn.share().explained());
    assertEquals(Verdict.RULED_OUT, of(diagnosis, Hypothesis.CONNECTION_POOL_UNDERSIZED).verdict());
  }

  /** 200 of 200 request threads hash passwords or sign tokens on four full cores. */
  @Test
  void passwordHashesSaturateTheCoresAndAreNotToBeWeakened() {
    Diagnosis diagnosis = diagnosis("cpu-login", OperatorFacts.none());
    assertEquals(Optional.of(Hypothesis.CPU_SATURATION), suspectOrLead(diagnosis));
    String edits = Edit.together(of(diagnosis, Hypothesis.CPU_SATURATION).advice().edits());
    assertTrue(edits.contains("com.tracker.auth.AuthService.login"), edits);
    assertTrue(edits.contains("no more than 4 of these calls"), edits);
    assertFalse(edits.contains("cheaper"), edits);
  }
}
