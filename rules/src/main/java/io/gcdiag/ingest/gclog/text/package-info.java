/** Numbers, sizes, dates and decorations in lines of GC logs. */
package io.gcdiag.ingest.gclog.text;
