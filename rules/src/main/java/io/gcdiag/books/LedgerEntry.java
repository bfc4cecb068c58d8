package io.gcdiag.books;

import io.gcdiag.measures.threads.Effect;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One line of the ledger of the lost time.
 *
 * @param effect where the time went
 * @param baselinePerSecond thread-seconds spent so per second of the baseline window (that is: how
 *     many threads were in this state on average); absent without a baseline
 * @param incidentPerSecond the same for the incident window
 * @param interval where the latter lies, if it rests on samples
 * @param excessSeconds thread-seconds above the baseline over the whole incident window, at least 0
 * @param share of all excess time, 0 to 1; of a bound, how much of it can lie here at most
 * @param note how it was measured and what a threshold hides; one sentence
 * @param atMost whether the figures are bounds, of what was not recorded; it has no excess then,
 *     and its share is counted in no sum
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
   * @param baselinePerSecond threads on average in the baseline; absent without one
   * @param incidentPerSecond threads on average in the incident
   */
  public record Site(String name, OptionalDouble baselinePerSecond, double incidentPerSecond) {}

  /** Copies the list. */
  public LedgerEntry {
    sites = List.copyOf(sites);
  }
}
