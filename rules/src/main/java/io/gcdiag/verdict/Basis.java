package io.gcdiag.verdict;

import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The samples behind a cause's share.
 *
 * @param interval the confidence interval of the share; empty without samples
 * @param samples number of samples of the figure with the fewest
 * @param ofDumps whether dumps are the samples
 * @param what the kind of samples, in words; empty without samples
 */
record Basis(Optional<Estimate> interval, long samples, boolean ofDumps, String what) {

  /** The basis of a share that was measured, or of no share. */
  static final Basis MEASURED = new Basis(Optional.empty(), Long.MAX_VALUE, false, "");

  static Basis of(
      Hypothesis cause, List<Finding> all, EffectTimes times, Optional<Estimate> interval) {
    if (interval.isEmpty()) {
      return MEASURED;
    }
    Optional<DumpedWaits> dumped =
        effects(cause, all).stream()
            .flatMap(effect -> times.inDumps(effect).stream())
            .min(Comparator.comparingInt(DumpedWaits::independent));
    long samples =
        all.stream()
            .filter(finding -> finding.samples() > 0)
            .filter(finding -> finding.bearings().stream().anyMatch(b -> explains(b, cause)))
            .mapToLong(Finding::samples)
            .min()
            .orElse(Long.MAX_VALUE);
    if (dumped.filter(waits -> waits.independent() <= samples).isPresent()) {
      int dumps = dumped.get().dumps();
      String what = dumps == 1 ? "one thread dump" : dumps + " thread dumps";
      return new Basis(interval, dumped.get().independent(), true, what);
    }
    String what = samples == Long.MAX_VALUE ? "" : Numbers.count(samples) + " samples";
    return new Basis(interval, samples, false, what);
  }

  /**
   * Whether the samples are so few that the interval of a share of 50 % is wider than 50 percentage
   * points.
   */
  boolean isThin() {
    Estimate half = Estimate.ofShare(Policy.MAJORITY, samples);
    return half.high() - half.low() > Policy.MAJORITY;
  }

  /** Whether the share may be too small to mention. */
  boolean isVague() {
    return interval.filter(share -> share.low() < Policy.NOTABLE).isPresent();
  }

  /** Why the share is uncertain, one clause; empty if there are enough samples. */
  String doubt() {
    if (!isThin() && !isVague()) {
      return "";
    }
    String range = interval.map(share -> Ratio.range(share.low(), share.high())).orElseThrow();
    return what.isEmpty()
        ? "the evidence puts its share at " + range
        : "its share rests on " + what + ": " + range;
  }

  /** What would narrow the interval. */
  String more() {
    return what.isEmpty() || ofDumps
        ? "a dozen thread dumps in the incident (jcmd PID Thread.print -l, one a second)"
        : "a longer recording of the incident: more samples";
  }

  /**
   * The effects whose time the cause explains, and the effects that pass a part of their time to
   * these.
   */
  static Set<Effect> effects(Hypothesis cause, List<Finding> all) {
    Set<Effect> effects = EnumSet.noneOf(Effect.class);
    for (Finding finding : all) {
      for (Bearing bearing : finding.bearings()) {
        if (bearing instanceof Bearing.Explains explains && explains(bearing, cause)) {
          effects.add(explains.effect());
        }
      }
    }
    boolean more = true;
    while (more) {
      more = false;
      for (Finding finding : all) {
        for (Finding.Transfer transfer : finding.transfers()) {
          more |=
              transfer.fraction() >= Policy.SUBSTANTIAL
                  && effects.contains(transfer.to())
                  && effects.add(transfer.from());
        }
      }
    }
    return effects;
  }

  private static boolean explains(Bearing bearing, Hypothesis cause) {
    return bearing.hypothesis() == cause && bearing instanceof Bearing.Explains;
  }
}
