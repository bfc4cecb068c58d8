package io.gcdiag.diagnosis;

import io.gcdiag.advice.Advice;
import io.gcdiag.books.Interval;
import io.gcdiag.causes.Bearing;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.source.Signal;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is thought of one root cause, and why.
 *
 * @param hypothesis the root cause
 * @param verdict what is thought of it
 * @param explainedShare share of the trouble's time that it accounts for, 0 to 1; absent when it
 *     could not be computed
 * @param shareInterval where that share lies, if it rests on samples
 * @param confidence how far to rely on it; absent where nothing was judged
 * @param reason the one or two figures that decided, one sentence, for the ranked table
 * @param findings everything found about it, what weighs most first
 * @param missing signals that would have helped to judge it
 * @param actions what to change, if it is a suspect
 * @param doubts what keeps the confidence from being high, in words; empty if nothing does
 * @param surer the one thing that would raise the confidence most; empty if nothing is known to
 * @param advice where it is in code and configuration, and the exact edits, if it is a suspect
 */
public record Judgement(
    Hypothesis hypothesis,
    Verdict verdict,
    OptionalDouble explainedShare,
    Optional<Interval> shareInterval,
    Optional<Confidence> confidence,
    String reason,
    List<Finding> findings,
    List<Signal> missing,
    List<String> actions,
    String doubts,
    String surer,
    Advice advice) {

  /** More would not be read on a first screen. */
  private static final int MOST_FIGURES = 3;

  /** Copies the lists. */
  public Judgement {
    findings = List.copyOf(findings);
    missing = List.copyOf(missing);
    actions = List.copyOf(actions);
  }

  /** One whose share rests on no samples. */
  public Judgement(
      Hypothesis hypothesis,
      Verdict verdict,
      OptionalDouble explainedShare,
      Optional<Confidence> confidence,
      String reason,
      List<Finding> findings,
      List<Signal> missing,
      List<String> actions,
      String doubts) {
    this(
        hypothesis,
        verdict,
        explainedShare,
        Optional.empty(),
        confidence,
        reason,
        findings,
        missing,
        actions,
        doubts,
        "",
        Advice.NONE);
  }

  /** One of which no place is known. */
  public Judgement(
      Hypothesis hypothesis,
      Verdict verdict,
      OptionalDouble explainedShare,
      Optional<Interval> shareInterval,
      Optional<Confidence> confidence,
      String reason,
      List<Finding> findings,
      List<Signal> missing,
      List<String> actions,
      String doubts) {
    this(
        hypothesis,
        verdict,
        explainedShare,
        shareInterval,
        confidence,
        reason,
        findings,
        missing,
        actions,
        doubts,
        "",
        Advice.NONE);
  }

  /** Whether something speaks for it, and nothing decides: what to look at first then. */
  public boolean isLead() {
    return verdict == Verdict.NOT_ENOUGH_DATA && leads().findFirst().isPresent();
  }

  /** The figure that decided, in a few words; what is missing where nothing did. */
  public String brief() {
    return findings.stream().findFirst().map(Finding::brief).orElse(reason);
  }

  /**
   * The figures that speak for it, at most {@link #MOST_FIGURES}: two of the finding that weighs
   * most, the first of each other one, then what the weightiest one says beside that.
   */
  public List<String> keyFigures() {
    List<List<String>> clauses =
        findings.stream()
            .filter(finding -> isClaim(finding))
            .map(finding -> List.of(finding.statement().split("; ")))
            .toList();
    Set<String> figures = new LinkedHashSet<>();
    for (List<String> one : clauses) {
      one.stream().limit(figures.isEmpty() ? 2 : 1).forEach(figures::add);
    }
    clauses.stream().limit(1).forEach(figures::addAll);
    return figures.isEmpty() ? List.of(reason) : figures.stream().limit(MOST_FIGURES).toList();
  }

  private boolean isClaim(Finding finding) {
    return finding.bearings().stream()
        .anyMatch(bearing -> bearing.hypothesis() == hypothesis && bearing.isClaim());
  }

  /** What speaks for it. */
  Stream<Finding> leads() {
    return findings.stream()
        .filter(
            finding ->
                finding.bearings().stream()
                    .filter(bearing -> bearing.hypothesis() == hypothesis)
                    .anyMatch(Bearing::speaksFor));
  }
}
