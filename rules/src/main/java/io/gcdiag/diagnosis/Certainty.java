package io.gcdiag.diagnosis;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.Signal;
import io.gcdiag.rules.Bearing;
import io.gcdiag.rules.Finding;
import io.gcdiag.rules.Hypothesis;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How far to rely on a verdict. Several rules and independent sources that agree, and nothing
 * missing, make it firm. A source that disagrees with another one on the same fact makes what rests
 * on it doubtful.
 */
final class Certainty {

  private final List<Signal> missing;
  private final long voices;
  private final boolean confirmed;
  private final Optional<CrossCheck> dispute;

  /**
   * Weighs what a verdict rests on.
   *
   * @param hypothesis what is judged
   * @param all everything found about it
   * @param missing signals that would have helped to judge it
   * @param checks facts told by two sources
   */
  Certainty(
      Hypothesis hypothesis, List<Finding> all, List<Signal> missing, List<CrossCheck> checks) {
    this.missing = missing;
    List<Finding> about =
        all.stream().filter(finding -> !onlyAccompanies(finding, hypothesis)).toList();
    Set<String> files = new HashSet<>();
    about.forEach(f -> f.sources().forEach(source -> files.add(source.file())));
    files.remove(OperatorFacts.SOURCE.file());
    voices = about.stream().map(Finding::rule).distinct().count();
    confirmed =
        files.size() >= 2 || checks.stream().anyMatch(c -> c.agrees() && concerns(c, files));
    dispute = checks.stream().filter(c -> c.disagrees() && concerns(c, files)).findFirst();
  }

  Confidence confidence() {
    if (dispute.isPresent() || voices < 2 && !confirmed) {
      return Confidence.LOW;
    }
    return voices >= 2 && confirmed && missing.isEmpty() ? Confidence.HIGH : Confidence.MEDIUM;
  }

  /** What keeps it from being high, in words; empty if nothing does. */
  String doubts() {
    List<String> doubts = new ArrayList<>();
    dispute.ifPresent(
        check -> doubts.add("two sources differ on " + check.fact() + ": " + check.text()));
    if (voices < 2) {
      doubts.add("only one rule speaks for it");
    }
    if (!confirmed) {
      doubts.add("no second file confirms it");
    }
    if (!missing.isEmpty()) {
      doubts.add("not recorded: " + missing.get(0).description());
    }
    return String.join("; ", doubts);
  }

  /** What moves together with the latency is a lead and makes nothing surer. */
  private static boolean onlyAccompanies(Finding finding, Hypothesis hypothesis) {
    return finding.bearings().stream()
        .filter(bearing -> bearing.hypothesis() == hypothesis)
        .allMatch(Bearing.Accompanies.class::isInstance);
  }

  private static boolean concerns(CrossCheck check, Set<String> files) {
    return files.stream()
        .anyMatch(file -> isOf(file, check.sourceA()) || isOf(file, check.sourceB()));
  }

  /** A source is a file's name, which a place may follow; {@code gc.log.1} is no {@code gc.log}. */
  private static boolean isOf(String file, String source) {
    return source.equals(file)
        || source.startsWith(file + " ")
        || source.startsWith(file + ":")
        || source.startsWith(file + ",");
  }
}
