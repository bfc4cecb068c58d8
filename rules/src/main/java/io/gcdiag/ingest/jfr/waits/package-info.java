/** Recorded waits: parks, monitors, calls, sleeps, and samples of threads. */
package io.gcdiag.ingest.jfr.waits;
