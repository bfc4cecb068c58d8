package io.gcdiag.fleet;

import io.gcdiag.books.Hypothesis;
import io.gcdiag.verdict.Confidence;
import io.gcdiag.verdict.Verdict;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * A root cause that a case names.
 *
 * @param verdict primary suspect or contributing
 * @param share of the lost time that it explains, 0 to 1; absent if unknown
 * @param confidence how far to rely on it
 * @param action what to change first; empty if nothing is known
 */
public record Suspect(
    Hypothesis cause,
    Verdict verdict,
    OptionalDouble share,
    Optional<Confidence> confidence,
    String action) {}
