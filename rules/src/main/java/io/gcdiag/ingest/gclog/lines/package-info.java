/** Lines that both families of GC logs have. */
package io.gcdiag.ingest.gclog.lines;
