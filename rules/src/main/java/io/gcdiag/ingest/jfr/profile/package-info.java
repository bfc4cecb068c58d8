/** Recorded samples of executing code, allocations and exceptions. */
package io.gcdiag.ingest.jfr.profile;
