package io.gcdiag.loadtests;

import io.gcdiag.evidence.time.Source;

/**
 * A series to be compared with the latency tail.
 *
 * @param name what it measures, in words
 * @param source where it was read
 * @param values one for each interval, NaN where not known
 */
record Candidate(String name, Source source, double[] values) {}
