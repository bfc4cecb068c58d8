package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.cli.report.Check.Outcome;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.verdict.Diagnosis;
import io.gcdiag.verdict.Judgement;
import io.gcdiag.verdict.Verdict;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A diagnosis for people and machines. The report answers first and argues afterwards: conclusion,
 * ranked table, the cause with its arithmetic, the chain, checks, what to change, what is unknown.
 *
 * @param diagnosis what is shown
 * @param zone the time zone of windows and charts; times inside of sentences say that they are UTC
 */
public record DiagnosisDocument(Diagnosis diagnosis, ZoneId zone) implements Printable {

  /** A document in UTC. */
  public DiagnosisDocument(Diagnosis diagnosis) {
    this(diagnosis, ZoneOffset.UTC);
  }

  @Override
  public Report report() {
    return Report.of(
        Opening.title(diagnosis),
        Answer.doubts(diagnosis),
        Opening.blocks(diagnosis, zone),
        List.of(
            ProblemSection.of(diagnosis),
            StationSection.of(diagnosis),
            SupportSections.slowRequests(diagnosis),
            HypothesisSections.ranked(diagnosis),
            new Report.Section("Over time", ChartSection.blocks(diagnosis, zone)),
            CauseSection.of(diagnosis),
            ChainSection.of(diagnosis),
            SupportSections.crossChecks(diagnosis),
            CollectionSection.of(diagnosis),
            SupportSections.allocation(diagnosis),
            CpuSection.of(diagnosis),
            AdviceSections.changes(diagnosis),
            PredictionSection.of(diagnosis),
            AdviceSections.limits(diagnosis),
            InputSection.of(diagnosis, zone)));
  }

  @Override
  public Report brief() {
    return BriefReport.of(diagnosis, zone);
  }

  @Override
  public List<Report> shorter() {
    return BriefReport.shorter(diagnosis);
  }

  @Override
  public JsonNode json() {
    return DiagnosisJson.of(diagnosis);
  }

  /** For machines that judge for themselves: what was measured, and what rose when. */
  public JsonNode facts(List<Windows.Onset> onsets) {
    return DiagnosisJson.facts(diagnosis, onsets);
  }

  @Override
  public List<Check> checks() {
    return DiagnosisChecks.of(diagnosis);
  }

  static Optional<Judgement> primary(Diagnosis diagnosis) {
    return diagnosis.primarySuspect().flatMap(suspect -> judgement(diagnosis, suspect));
  }

  private static Optional<Judgement> judgement(Diagnosis diagnosis, Hypothesis hypothesis) {
    return diagnosis.judgements().stream()
        .filter(judgement -> judgement.hypothesis() == hypothesis)
        .findFirst();
  }

  /** The other primary suspect, if the inputs cannot separate two. */
  static Optional<Judgement> rival(Diagnosis diagnosis) {
    return apart(diagnosis)
        .map(pair -> other(diagnosis, pair))
        .flatMap(other -> judgement(diagnosis, other));
  }

  /** The experiment that would separate the two. */
  static Optional<String> experiment(Diagnosis diagnosis) {
    return apart(diagnosis).map(Finding.Inseparable::experiment);
  }

  private static Optional<Finding.Inseparable> apart(Diagnosis diagnosis) {
    Set<Hypothesis> suspects =
        withVerdict(diagnosis, Verdict.PRIMARY_SUSPECT).stream()
            .map(Judgement::hypothesis)
            .collect(Collectors.toSet());
    return diagnosis.inseparable().stream()
        .filter(pair -> suspects.containsAll(List.of(pair.one(), pair.other())))
        .filter(
            pair ->
                diagnosis
                    .primarySuspect()
                    .filter(first -> first == pair.one() || first == pair.other())
                    .isPresent())
        .findFirst();
  }

  private static Hypothesis other(Diagnosis diagnosis, Finding.Inseparable pair) {
    return diagnosis.primarySuspect().filter(first -> first == pair.one()).isPresent()
        ? pair.other()
        : pair.one();
  }

  static List<Judgement> withVerdict(Diagnosis diagnosis, Verdict verdict) {
    return diagnosis.judgements().stream().filter(j -> j.verdict() == verdict).toList();
  }

  /** A diagnosis as checks: one for the answer and one for each root cause. */
  private static final class DiagnosisChecks {

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
          judgement.findings().stream()
              .map(DiagnosisChecks::text)
              .collect(Collectors.joining("\n")));
    }

    private static String text(Finding finding) {
      return FigureText.sentence(finding.statement())
          + finding.arithmetic().stream().map(sum -> "\n  " + sum).collect(Collectors.joining())
          + "\n  ["
          + CauseSection.sources(finding.sources())
          + "]";
    }
  }
}
