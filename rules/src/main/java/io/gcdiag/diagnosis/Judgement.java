package io.gcdiag.diagnosis;

import io.gcdiag.advice.Advice;
import io.gcdiag.books.Interval;
import io.gcdiag.causes.Bearing;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.KeyFigure;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.policy.Policy;
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
 * @param explainedShare share of the lost time that it accounts for, 0 to 1; absent when it could
 *     not be computed
 * @param shareInterval where that share lies, in whole percents; empty where both ends are the same
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

  /** Copies the lists. */
  public Judgement {
    findings = List.copyOf(findings);
    missing = List.copyOf(missing);
    actions = List.copyOf(actions);
  }

  /** Whether something supports it, and nothing decides: what to look at first then. */
  public boolean isLead() {
    return verdict == Verdict.NOT_ENOUGH_DATA && leads().findFirst().isPresent();
  }

  /** What it is called: by the kind that was found, where a root cause has several. */
  public String title() {
    return advice.title().orElse(hypothesis.title());
  }

  /** The figure that decided, in a few words; what is missing where nothing did. */
  public String brief() {
    return findings.stream().findFirst().map(Finding::brief).orElse(reason);
  }

  /**
   * The figures that support it, at most {@link Policy#MOST_NAMED}: the first of each finding, in
   * the order of their weight, then the second of each. What decided in words, if there is no
   * figure.
   */
  public List<String> keyFigures() {
    return keyFigures(hypothesis, findings, reason);
  }

  /** The same of a cause that is not judged yet. */
  static List<String> keyFigures(Hypothesis hypothesis, List<Finding> findings, String reason) {
    List<Finding> claims =
        findings.stream().filter(finding -> isClaim(finding, hypothesis)).toList();
    Set<String> chosen = new LinkedHashSet<>(figures(claims));
    if (chosen.isEmpty()) {
      chosen.add(claims.stream().findFirst().map(Finding::brief).orElse(reason));
    }
    chosen.addAll(figures(findings.stream().filter(one -> onlyHands(one, hypothesis)).toList()));
    return chosen.stream().limit(Policy.MOST_NAMED).toList();
  }

  private static Set<String> figures(List<Finding> findings) {
    int most = findings.stream().mapToInt(finding -> finding.figures().size()).max().orElse(0);
    Set<String> chosen = new LinkedHashSet<>();
    for (int i = 0; i < most; i++) {
      for (Finding finding : findings) {
        finding.figures().stream()
            .skip(i)
            .limit(1)
            .filter(KeyFigure::isTelling)
            .map(KeyFigure::toString)
            .forEach(chosen::add);
      }
    }
    return chosen;
  }

  private static boolean isClaim(Finding finding, Hypothesis hypothesis) {
    return finding.on(hypothesis).anyMatch(Bearing::isClaim);
  }

  /** Whether it bears on other causes only, and hands time on to this one. */
  private static boolean onlyHands(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().stream().noneMatch(one -> one.hypothesis() == hypothesis);
  }

  /** The evidence for it. */
  Stream<Finding> leads() {
    return findings.stream().filter(finding -> finding.on(hypothesis).anyMatch(Bearing::speaksFor));
  }
}
