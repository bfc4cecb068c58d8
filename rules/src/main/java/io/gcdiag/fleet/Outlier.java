package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import java.util.Optional;

/**
 * A host that has a primary suspect more often than the other hosts of its service.
 *
 * @param service the service
 * @param host the host
 * @param own its cases with a primary suspect, of all its cases
 * @param peers the same of the other hosts
 * @param cause what most of its cases name
 * @param chance probability of such a difference, or a larger one, by chance, corrected for the
 *     number of comparisons
 */
public record Outlier(
    String service,
    String host,
    CauseChange.Count own,
    CauseChange.Count peers,
    Optional<Hypothesis> cause,
    double chance) {}
