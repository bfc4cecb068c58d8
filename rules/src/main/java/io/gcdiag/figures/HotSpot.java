package io.gcdiag.figures;

import java.util.OptionalDouble;

/**
 * Code that was seen executing.
 *
 * @param name the method, and on whose behalf if that is another
 * @param share of the samples of the incident window, 0 to 1
 * @param before the same in the baseline window; absent without a baseline or samples in it
 */
public record HotSpot(String name, double share, OptionalDouble before) {}
