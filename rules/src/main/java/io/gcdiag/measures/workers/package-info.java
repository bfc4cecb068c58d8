/** Groups of worker threads and event loops: at work, idle, and work that waits for them. */
package io.gcdiag.measures.workers;
