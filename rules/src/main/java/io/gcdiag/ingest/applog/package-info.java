/** Logs of applications and of the kernel: messages on pools, memory and blocked threads. */
package io.gcdiag.ingest.applog;
