package io.gcdiag.loadtests;

import io.gcdiag.loadtests.Lead.Shift;
import io.gcdiag.loadtests.Lead.Strength;
import io.gcdiag.loadtests.Lead.Verdict;
import io.gcdiag.stats.Correlation;
import io.gcdiag.stats.ManyTests;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** Judges relations together: the more series are tried, the more of them agree by chance. */
final class Leads {

  /** A relation counts if chance brings it about less often than this. */
  static final double SIGNIFICANT = 0.05;

  private Leads() {}

  /** The closest related first. */
  static List<Lead> of(List<Measured> measured, Grid grid) {
    double[] values = corrected(measured, one -> one.pearson().orElseThrow().pValue());
    double[] ranks = corrected(measured, one -> one.spearman().orElseThrow().pValue());
    double[] shifts = corrected(measured, Measured::shiftChance);
    List<Lead> leads = new ArrayList<>();
    int tested = 0;
    for (Measured one : measured) {
      if (one.enough()) {
        leads.add(lead(one, values[tested], ranks[tested], shifts[tested], grid));
        tested++;
      } else {
        leads.add(
            new Lead(
                one.candidate().name(),
                one.candidate().source(),
                one.intervals(),
                Optional.empty(),
                Optional.empty(),
                Verdict.TOO_FEW));
      }
    }
    leads.sort(
        Comparator.comparingDouble(
                (Lead lead) -> -lead.strength().map(s -> Math.abs(s.pearson())).orElse(-1.0))
            .thenComparing(Lead::name));
    return leads;
  }

  private static double[] corrected(List<Measured> measured, ToDoubleFunction<Measured> chance) {
    return ManyTests.holm(measured.stream().filter(Measured::enough).mapToDouble(chance).toArray());
  }

  private static Lead lead(Measured one, double values, double ranks, double shift, Grid grid) {
    Correlation pearson = one.pearson().orElseThrow();
    Correlation spearman = one.spearman().orElseThrow();
    return new Lead(
        one.candidate().name(),
        one.candidate().source(),
        one.intervals(),
        Optional.of(
            new Strength(
                pearson.r(),
                pearson.low(),
                pearson.high(),
                spearman.r(),
                pearson.effectiveCount(),
                pearson.pValue(),
                values)),
        one.shifted()
            .filter(s -> shift < SIGNIFICANT)
            .map(
                s ->
                    new Shift(s.by(), grid.step().multipliedBy(Math.abs(s.by())), s.pearson().r())),
        verdict(one.steady(), values < SIGNIFICANT, ranks < SIGNIFICANT, shift < SIGNIFICANT));
  }

  private static Verdict verdict(boolean steady, boolean values, boolean ranks, boolean shifted) {
    if (values && steady) {
      return Verdict.MOVES;
    }
    if (shifted) {
      return Verdict.SHIFTED;
    }
    if (values) {
      return Verdict.FEW_INTERVALS;
    }
    return ranks ? Verdict.RANKS : Verdict.NOT_SHOWN;
  }
}
