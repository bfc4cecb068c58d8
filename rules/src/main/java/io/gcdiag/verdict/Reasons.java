package io.gcdiag.verdict;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.KeyFigure;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The text for a verdict: the order of the findings, the reason, and the actions. */
final class Reasons {

  /** The text of the strongest finding, if it adds something to the title of the cause. */
  static String action(Hypothesis hypothesis, List<Finding> about) {
    return about.stream()
        .map(finding -> finding.actions().get(hypothesis))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(Causes.of(hypothesis).firstAction());
  }

  /** For a suspect the evidence for it comes first, otherwise the evidence against it. */
  static List<Finding> ordered(List<Finding> about, Hypothesis hypothesis, Verdict verdict) {
    Comparator<Finding> byWeight =
        Comparator.comparingInt(
            finding ->
                finding
                    .on(hypothesis)
                    .mapToInt(bearing -> verdict.isSuspect() ? weight(bearing) : -weight(bearing))
                    .min()
                    .orElse(0));
    List<Finding> sorted = new ArrayList<>(about);
    sorted.sort(byWeight);
    return sorted;
  }

  private static int weight(Bearing bearing) {
    if (bearing instanceof Bearing.Supports supports && supports.pending()) {
      return -1;
    }
    if (bearing instanceof Bearing.Explains || bearing instanceof Bearing.Proves) {
      return 0;
    }
    if (bearing instanceof Bearing.Supports) {
      return 1;
    }
    if (bearing instanceof Bearing.Accompanies) {
      return 2;
    }
    return bearing instanceof Bearing.Weakens ? 3 : 4;
  }

  private static boolean speaksAgainst(Finding finding, Hypothesis hypothesis) {
    return finding
        .on(hypothesis)
        .allMatch(
            bearing -> bearing instanceof Bearing.Weakens || bearing instanceof Bearing.Refutes);
  }

  /** The one or two decisive figures; if there are none, what is missing. */
  static String of(
      Hypothesis hypothesis, Verdict verdict, List<Finding> about, List<Signal> missing) {
    String needs =
        missing.isEmpty()
            ? ""
            : "needs " + missing.get(0).description() + ": " + missing.get(0).howToRecord();
    if (!about.isEmpty()) {
      boolean undecided = verdict == Verdict.NOT_ENOUGH_DATA && !needs.isEmpty();
      int told = verdict == Verdict.PRIMARY_SUSPECT ? 2 : 1;
      String statements =
          about.stream()
              .filter(finding -> told == 1 || !speaksAgainst(finding, hypothesis))
              .limit(told)
              .map(Finding::statement)
              .collect(Collectors.joining("; "));
      return statements + (undecided ? "; " + needs : "");
    }
    if (verdict == Verdict.NOT_ENOUGH_DATA && !needs.isEmpty()) {
      return needs;
    }
    return verdict == Verdict.NOT_ENOUGH_DATA
        ? "the inputs hold no data on it"
        : "checked, not indicated";
  }

  /**
   * The figures that are evidence for a cause, at most {@link Policy#MOST_NAMED}: the first of each
   * finding in order of weight, then the second of each. If there are none, the reason in words.
   */
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

  /** Whether it has bearings on other causes only, and passes time on to this one. */
  private static boolean onlyHands(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().stream().noneMatch(one -> one.hypothesis() == hypothesis);
  }

  /**
   * Exact edits come first. If there are any, the general advice of the catalogue is left out, and
   * so is how to find the code if its line is known.
   */
  static List<String> actions(Hypothesis hypothesis, Advice advice, String words) {
    if (advice.edits().isEmpty()) {
      return List.of(words);
    }
    String edit = Edit.together(advice.edits());
    boolean known =
        words.equals(Causes.of(hypothesis).firstAction())
            || advice.edits().stream().anyMatch(Edit::isAtLine);
    return known ? List.of(edit) : List.of(edit, words);
  }
}
