/**
 * Reads the collector's log of HotSpot JVMs 6 to 25 into plain records: text in, {@link
 * io.gcdiag.ingest.gclog.store.GcLog} out. Nothing here aligns clocks or knows the other inputs.
 */
package io.gcdiag.ingest.gclog;
