/** GC logs since JDK 9. */
package io.gcdiag.ingest.gclog.unified;
