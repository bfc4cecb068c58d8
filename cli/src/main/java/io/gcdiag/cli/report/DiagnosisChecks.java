package io.gcdiag.cli.report;

import io.gcdiag.books.Finding;
import io.gcdiag.cli.report.Check.Outcome;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A diagnosis as checks: one for the answer and one for each root cause. */
final class DiagnosisChecks {

  private DiagnosisChecks() {}

  static List<Check> of(Diagnosis diagnosis) {
    List<Check> checks = new ArrayList<>();
    Outcome answer =
        switch (diagnosis.conclusion()) {
          case HEALTHY -> Outcome.PASSED;
          case PRIMARY_SUSPECT -> Outcome.FAILED;
          case UNDECIDED -> Outcome.SKIPPED;
        };
    checks.add(
        new Check("conclusion", answer, Opening.title(diagnosis).text(), diagnosis.summary()));
    diagnosis.judgements().forEach(judgement -> checks.add(check(judgement)));
    return checks;
  }

  private static Check check(Judgement judgement) {
    Outcome outcome =
        switch (judgement.verdict()) {
          case PRIMARY_SUSPECT, CONTRIBUTING -> Outcome.FAILED;
          case RULED_OUT, NOT_INDICATED -> Outcome.PASSED;
          case NOT_ENOUGH_DATA -> Outcome.SKIPPED;
        };
    return new Check(
        judgement.hypothesis().id(),
        outcome,
        judgement.verdict().title() + ": " + judgement.reason(),
        judgement.findings().stream().map(DiagnosisChecks::text).collect(Collectors.joining("\n")));
  }

  private static String text(Finding finding) {
    return FigureText.sentence(finding.statement())
        + finding.arithmetic().stream().map(sum -> "\n  " + sum).collect(Collectors.joining())
        + "\n  ["
        + CauseSection.sources(finding.sources())
        + "]";
  }
}
