/**
 * Stop-the-world pauses, safepoints and concurrent cycles, as columns for logs and recordings
 * alike.
 */
package io.gcdiag.evidence.pauses;
