/** Thread dumps and the threads in them. */
package io.gcdiag.evidence.threads;
