/** Crash reports of HotSpot, {@code hs_err_pid*.log}. */
package io.gcdiag.ingest.crash;
