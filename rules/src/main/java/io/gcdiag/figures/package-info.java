/** Metrics, charts and cross-checks for reports. */
package io.gcdiag.figures;
