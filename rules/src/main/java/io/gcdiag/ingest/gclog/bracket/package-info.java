/** GC logs of JDK 8 and earlier. */
package io.gcdiag.ingest.gclog.bracket;
