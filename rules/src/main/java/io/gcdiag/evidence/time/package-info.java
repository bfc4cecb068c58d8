/**
 * Instants, windows and lists in the order of time, and where a fact was read: source, signal,
 * coverage.
 */
package io.gcdiag.evidence.time;
