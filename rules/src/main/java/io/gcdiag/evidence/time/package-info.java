/**
 * Instants, windows and lists in the order of time; amounts over time in buckets of bounded number.
 */
package io.gcdiag.evidence.time;
