/** What a GC log holds, packed: a log has millions of pauses. */
package io.gcdiag.ingest.gclog.store;
