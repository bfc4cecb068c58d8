/** Threads, in dumps and in counts, and the waits of threads in buckets of time. */
package io.gcdiag.evidence.threads;
