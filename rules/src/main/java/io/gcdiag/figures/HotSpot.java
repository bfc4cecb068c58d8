package io.gcdiag.figures;

import java.util.OptionalDouble;

/**
 * Code that was seen executing.
 *
 * @param method the method, and on whose behalf if that is another
 * @param baseline share of the samples of the baseline window, 0 to 1; absent without a baseline or
 *     samples in it
 * @param incident the same in the incident window
 */
public record HotSpot(String method, OptionalDouble baseline, double incident) {}
