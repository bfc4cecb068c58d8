/**
 * Statistics on plain numbers: growth, quantiles, trends, change points.
 *
 * <p>Nothing here knows what a number measures. The same input gives the same output, on every
 * machine and on every run: where chance is needed, its seed is fixed.
 */
package io.gcdiag.stats;
