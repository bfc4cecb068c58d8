package io.gcdiag.loadtests;

import io.gcdiag.figures.Metric;

/**
 * One figure of both runs.
 *
 * @param metric the figure; its baseline is the first run, its incident the second
 * @param certainty whether the difference is more than chance
 */
public record ComparedFigure(Metric metric, ChangeCertainty certainty) {}
