package io.gcdiag.books;

import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One line of the ledger of the lost time.
 *
 * @param effect where the time went
 * @param baselinePerSecond thread-seconds per second in the baseline window, that is, the average
 *     number of threads in this state; empty without a baseline
 * @param incidentPerSecond the same for the incident window
 * @param interval the 95 % interval of the latter, if it is sampled
 * @param excessSeconds thread-seconds above the baseline over the whole incident window, at least 0
 * @param share share of all excess time, 0 to 1; for an upper bound, the largest possible share
 * @param note how it was measured and what a threshold hides; one sentence
 * @param atMost whether the figures are upper bounds of what was not recorded; such a line has no
 *     excess, and its share is part of no sum
 * @param sites the pools, remote hosts, locks or files with most of it, most first; may be empty
 */
public record LedgerEntry(
    Effect effect,
    OptionalDouble baselinePerSecond,
    double incidentPerSecond,
    Optional<Interval> interval,
    double excessSeconds,
    double share,
    String note,
    boolean atMost,
    List<Site> sites) {

  /**
   * What was waited for.
   *
   * @param name the pool, remote host, lock or path
   * @param baselinePerSecond threads on average in the baseline; empty without one
   * @param incidentPerSecond threads on average in the incident
   */
  public record Site(String name, OptionalDouble baselinePerSecond, double incidentPerSecond) {}

  public LedgerEntry {
    sites = List.copyOf(sites);
  }
}
