/** The second reading of a GC log, by GCToolkit. */
package io.gcdiag.ingest.gclog.toolkit;
