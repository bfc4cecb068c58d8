package io.gcdiag.verdict;

import io.gcdiag.books.Cause.Trait;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.memory.StoppedTimeSplit;
import io.gcdiag.causes.workers.ScarceServers;
import io.gcdiag.causes.workers.ServerCounts;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Laws that a cause's share contradicts: two figures of one report of which one must be wrong.
 * Shares are about the mean and the bound of pauses about the 99th percentile, so these contradict
 * each other only if they differ by as much as a suspect needs.
 */
record StrainedLaws(
    MeasuredIncident incident, List<Finding> findings, Hypothesis cause, double share) {

  /**
   * A contradicted law.
   *
   * @param words one clause with the two figures
   * @param most upper bound of the share by the other figure, 0 to 1; 1 if that is no share
   */
  record Strain(String words, double most) {}

  /**
   * The laws that a suspect's share contradicts.
   *
   * @param share share of the lost time that the cause explains, 0 to 1
   */
  static List<Strain> of(
      MeasuredIncident incident, List<Finding> findings, Hypothesis cause, double share) {
    StrainedLaws laws = new StrainedLaws(incident, findings, cause, share);
    return Stream.of(laws.baseline(), laws.pauses(), laws.model(), laws.owners(), laws.compiled())
        .flatMap(Optional::stream)
        .toList();
  }

  /** Nor does anything else show whether the tasks of a full group became longer. */
  private Optional<Strain> baseline() {
    boolean ofWork =
        Causes.of(cause).is(Trait.PART_OF_NORMAL_WORK) || cause == Hypothesis.THREAD_POOL_EXHAUSTED;
    return ofWork && incident.windows().baseline().isEmpty()
        ? Optional.of(new Strain("there is no baseline that shows how much of it is normal", 1))
        : Optional.empty();
  }

  /** Causes that act through pauses explain at most what the pauses alone produce. */
  private Optional<Strain> pauses() {
    return values("pauses-alone", "explainedAtMostShare")
        .filter(most -> StoppedTimeSplit.of(incident).byCause().containsKey(cause))
        .filter(most -> share > most + Policy.SUBSTANTIAL)
        .map(
            most ->
                new Strain(
                    "it explains %s while pauses alone explain at most %s of the P99 above normal"
                        .formatted(percent(share), percent(most)),
                    most));
  }

  /** A model of the present pool that brings about another queue than the files show is wrong. */
  private Optional<Strain> model() {
    return cause != Hypothesis.CONNECTION_POOL_UNDERSIZED
        ? Optional.empty()
        : ScarceServers.connections(incident)
            .flatMap(pool -> new ServerCounts(incident, cause, pool).refutation())
            .map(missed -> new Strain(missed, 1));
  }

  /**
   * A lock whose owners are seen to wait for something else now and then, and for most of the held
   * time are not seen at all: that may be more of the same, each wait too short to be recorded.
   */
  private Optional<Strain> owners() {
    double waiting =
        findings.stream()
            .filter(finding -> finding.rule().equals("lock-wait"))
            .flatMap(finding -> finding.values().entrySet().stream())
            .filter(value -> value.getKey().startsWith("shareOfOwners."))
            .mapToDouble(Map.Entry::getValue)
            .sum();
    return cause == Hypothesis.LOCK_CONTENTION && waiting > 0
        ? values("lock-wait", "unseenOfOwners")
            .filter(unseen -> unseen > Policy.MAJORITY)
            .map(
                unseen ->
                    new Strain(
                        "the lock's owners waited %s of the held time themselves, and for %s of it nothing is recorded"
                            .formatted(percent(waiting), percent(unseen)),
                        1))
        : Optional.empty();
  }

  /** Work that takes ten times as long in the interpreter need not be more work. */
  private Optional<Strain> compiled() {
    return values("code-cache", "unexplainedInterpreted")
        .filter(interpreted -> cause == Hypothesis.CPU_SATURATION)
        .map(
            interpreted ->
                new Strain(
                    "%s of its samples are interpreted code, and few were before"
                        .formatted(percent(interpreted)),
                    1));
  }

  private Optional<Double> values(String rule, String value) {
    return findings.stream()
        .filter(finding -> finding.rule().equals(rule))
        .flatMap(finding -> Stream.ofNullable(finding.values().get(value)))
        .findFirst();
  }

  private static String percent(double share) {
    return new Ratio(share).share();
  }
}
