package io.gcdiag.books;

import io.gcdiag.measures.threads.Effect;
import io.gcdiag.units.Estimate;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One line of the ledger of the lost time.
 *
 * @param effect where the time went
 * @param baselineThreads thread-seconds per second in the baseline window, that is, the average
 *     number of threads in this state; empty without a baseline
 * @param incidentThreads the same for the incident window
 * @param incidentThreadsInterval the 95 % interval of the latter, if it is sampled
 * @param excessThreadSeconds thread-seconds above the baseline over the whole incident window, at
 *     least 0
 * @param share share of all excess time, 0 to 1; for an upper bound, the largest possible share
 * @param atMost whether the figures are upper bounds of what was not recorded; such a line has no
 *     excess, and its share is part of no sum
 * @param note how it was measured and what a threshold hides; one sentence
 * @param sum how the number of the incident comes about, for a reader with a calculator; may be
 *     empty, and is in the note as well
 * @param sites the pools, remote hosts, locks or files with most of it, most first; may be empty
 */
public record LedgerEntry(
    Effect effect,
    OptionalDouble baselineThreads,
    double incidentThreads,
    Optional<Estimate> incidentThreadsInterval,
    double excessThreadSeconds,
    double share,
    boolean atMost,
    String note,
    String sum,
    List<Site> sites) {

  /**
   * What was waited for.
   *
   * @param name the pool, remote host, lock or path
   * @param baselineThreads threads on average in the baseline; empty without one
   * @param incidentThreads threads on average in the incident
   */
  public record Site(String name, OptionalDouble baselineThreads, double incidentThreads) {}

  public LedgerEntry {
    sites = List.copyOf(sites);
  }

  /** The same with another share. */
  public LedgerEntry sharing(double other) {
    return new LedgerEntry(
        effect,
        baselineThreads,
        incidentThreads,
        incidentThreadsInterval,
        excessThreadSeconds,
        other,
        atMost,
        note,
        sum,
        sites);
  }
}
