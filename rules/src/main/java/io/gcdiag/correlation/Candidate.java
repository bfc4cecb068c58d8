package io.gcdiag.correlation;

import io.gcdiag.evidence.source.Source;
import java.util.Optional;

/**
 * A series to be held against the tail.
 *
 * @param name what it measures, in words
 * @param source where it was read
 * @param subject what it is about, where a root cause would show in it
 * @param values one for each interval, NaN where not known
 */
record Candidate(String name, Source source, Optional<Subject> subject, double[] values) {}
