/** Reads what load generators report at the end of a run. */
package io.gcdiag.ingest.load;
