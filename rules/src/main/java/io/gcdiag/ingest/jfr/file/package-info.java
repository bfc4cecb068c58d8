/** The chunks of a recording file and their headers. */
package io.gcdiag.ingest.jfr.file;
