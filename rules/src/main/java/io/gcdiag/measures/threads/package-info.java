/** Figures of a window that are the threads': waits, calls, pools, workers, idle or taken. */
package io.gcdiag.measures.threads;
