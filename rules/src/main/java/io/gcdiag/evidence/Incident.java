package io.gcdiag.evidence;

import io.gcdiag.evidence.time.Windows;

/**
 * All that a rule is asked about: what is known, and which spans to compare.
 *
 * @param timeline what is known
 * @param windows the incident and the baseline before it
 */
public record Incident(Timeline timeline, Windows windows) {}
