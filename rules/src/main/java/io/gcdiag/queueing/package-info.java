/**
 * Waiting in line for a pool: Little's law, the M/M/c queue, stalls of the whole process, and a
 * simulation for what has no formula.
 *
 * <p>A pool of c connections (or threads) is a line with c servers, served in order of arrival;
 * every caller holds one for its hold time. Rates are per second, times are {@link
 * java.time.Duration}s.
 */
package io.gcdiag.queueing;
