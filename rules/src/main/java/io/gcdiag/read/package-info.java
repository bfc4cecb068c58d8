/**
 * Readers: from files to evidence. One class per format, recognised by content, listed in {@link
 * io.gcdiag.read.Ingest}. Nothing here judges.
 */
package io.gcdiag.read;
