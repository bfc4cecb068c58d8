package io.gcdiag.verdict;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.units.Estimate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The verdict on one root cause, and the reasons.
 *
 * @param share what it explains of the lost time
 * @param rating how reliable it is
 * @param reason the one or two decisive figures, one sentence, for the ranked table
 * @param findings all findings about it, those with most weight first
 * @param missing signals that would have helped to judge it
 * @param actions what to change, if it is a suspect
 * @param advice where it is in code and configuration, and the exact edits, if it is a suspect
 */
public record Judgement(
    Hypothesis hypothesis,
    Verdict verdict,
    Share share,
    Rating rating,
    String reason,
    List<Finding> findings,
    List<Signal> missing,
    List<String> actions,
    Advice advice) {

  /**
   * What a cause explains of the lost time.
   *
   * @param explained 0 to 1; empty if it could not be computed
   * @param interval its range in whole percents; empty if both ends are the same
   */
  public record Share(OptionalDouble explained, Optional<Estimate> interval) {}

  /**
   * How reliable a verdict is.
   *
   * @param confidence empty if nothing was judged
   * @param doubts what keeps it below high, in words; empty if nothing does
   * @param surer the one input that would raise it most; empty if none is known
   */
  public record Rating(Optional<Confidence> confidence, String doubts, String surer) {}

  /** Reports show shares with one decimal, so smaller ones print as none. */
  static final double LEAST_SHOWN = 0.0005;

  public Judgement {
    findings = List.copyOf(findings);
    missing = List.copyOf(missing);
    actions = List.copyOf(actions);
  }

  /** The same with another share, if it has any. */
  Judgement sharing(double other) {
    Share shown =
        share.explained().isPresent()
            ? new Share(OptionalDouble.of(other), share.interval())
            : share;
    return new Judgement(
        hypothesis, verdict, shown, rating, reason, findings, missing, actions, advice);
  }

  /** Whether there is evidence for it, but no verdict or no share, so that it is a lead. */
  public boolean isLead() {
    boolean open =
        verdict == Verdict.NOT_ENOUGH_DATA
            || verdict == Verdict.CONTRIBUTING && share.explained().isEmpty();
    return open && leads().findFirst().isPresent();
  }

  /** The title of the kind that was found, or of the cause. */
  public String title() {
    return advice.title().orElse(Causes.of(hypothesis).title());
  }

  /**
   * The decisive figure in a few words and what it means for this cause; if there is none, what is
   * missing.
   */
  public String brief() {
    return brief(" of the lost time");
  }

  /** The same, with other words for what it explains none or little of. */
  public String brief(String whole) {
    return findings.stream()
        .findFirst()
        .map(finding -> meant(finding, finding.brief(hypothesis), whole))
        .orElse(reason);
  }

  /** Whether the decisive figure is in one of those statements. */
  boolean isIn(Set<String> statements) {
    return findings.stream()
        .limit(1)
        .filter(first -> first.clause() && first.briefs().get(hypothesis) == null)
        .anyMatch(first -> statements.contains(first.statement()));
  }

  /** Of a cleared cause that has some evidence or a share: how much of the lost time it is. */
  private String meant(Finding finding, String brief, String whole) {
    boolean some = share.explained().orElse(0) >= LEAST_SHOWN;
    boolean claimed =
        share.explained().isPresent() && finding.on(hypothesis).anyMatch(Bearing::isClaim);
    if (!verdict.isCleared() || !some && !claimed) {
      return brief;
    }
    return brief
        + (some && brief.contains(": ") ? ", " : ": ")
        + (some ? "explains little" : "explains none")
        + whole;
  }

  /** The figures that are evidence for it; if there are none, the reason in words. */
  public List<String> keyFigures() {
    return Reasons.keyFigures(hypothesis, findings, reason);
  }

  /** What to do first about it: as its strongest finding says, else as for any such cause. */
  public String firstAction() {
    return Reasons.action(hypothesis, findings);
  }

  Stream<Finding> leads() {
    return findings.stream().filter(finding -> finding.on(hypothesis).anyMatch(Bearing::speaksFor));
  }

  /**
   * Number of kinds of evidence among findings: what a rule finds in dumps is another kind than
   * what it finds in events.
   */
  public static long evidenceKinds(List<Finding> findings, List<InputReport> inputs) {
    Map<String, String> formats = new HashMap<>();
    inputs.forEach(input -> formats.put(input.file(), input.format()));
    return findings.stream()
        .map(
            finding ->
                finding.sources().stream()
                    .map(source -> kind(source, formats.getOrDefault(source.file(), "")))
                    .collect(Collectors.toCollection(TreeSet::new))
                    .toString()
                    .concat(finding.rule()))
        .distinct()
        .count();
  }

  /** A recording contains several kinds: its dumps, and each type of event. */
  private static String kind(Source source, String format) {
    return format.equals("jfr") ? source.place().split(" ", 2)[0] : format;
  }
}
