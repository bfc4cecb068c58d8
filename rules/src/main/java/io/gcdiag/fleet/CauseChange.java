package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.units.Estimate;
import java.time.Instant;

/**
 * A root cause that is named more or less often from some time or version on.
 *
 * @param service the service; empty for all together
 * @param cause the root cause
 * @param what the moment or the versions between which it changed
 * @param at when the cases after it begin
 * @param before cases before
 * @param after cases after
 * @param chance probability of such a difference, or a larger one, by chance, corrected for the
 *     number of comparisons
 */
public record CauseChange(
    String service,
    Hypothesis cause,
    String what,
    Instant at,
    Count before,
    Count after,
    double chance) {

  /**
   * Cases that name a cause.
   *
   * @param named how many do
   * @param cases of how many
   */
  public record Count(int named, int cases) {

    /** The 95 % interval of its share of the service's cases. */
    public Estimate interval() {
      return Estimate.ofShare((double) named / cases, cases);
    }
  }

  /** Whether it is named more often than before. */
  public boolean isRise() {
    return (long) after.named() * before.cases() > (long) before.named() * after.cases();
  }
}
