/** What a reader of one format is given and returns. */
package io.gcdiag.ingest.format;
