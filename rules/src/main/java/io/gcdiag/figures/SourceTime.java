package io.gcdiag.figures;

import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;

/**
 * When it happened what a source names.
 *
 * @param source the place of an input
 * @param time from the start of what was read there to its end
 */
public record SourceTime(Source source, Window time) {}
