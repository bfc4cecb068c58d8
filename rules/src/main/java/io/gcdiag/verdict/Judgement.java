package io.gcdiag.verdict;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Interval;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeSet;
import java.util.stream.Collectors;
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

  /** Reports show shares with one decimal: less than this is none. */
  static final double LEAST_SHOWN = 0.0005;

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

  /** The title: that of the kind that was found if a root cause has several. */
  public String title() {
    return advice.title().orElse(Causes.of(hypothesis).title());
  }

  /** The figure that decided, in a few words; what is missing where nothing did. */
  public String brief() {
    return findings.stream().findFirst().map(Finding::brief).orElse(reason);
  }

  /** The figures that support it, or what decided in words, if there is none. */
  public List<String> keyFigures() {
    return Reasons.keyFigures(hypothesis, findings, reason);
  }

  /** The evidence for it. */
  Stream<Finding> leads() {
    return findings.stream().filter(finding -> finding.on(hypothesis).anyMatch(Bearing::speaksFor));
  }

  /**
   * How many kinds of evidence there are among findings: what a rule finds in dumps is another than
   * what it finds by events.
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

  /** A recording holds several: dumps, and events of each type, whichever of these it is. */
  private static String kind(Source source, String format) {
    return format.equals("jfr") ? source.place().split(" ", 2)[0] : format;
  }
}
