/** What a reader of one format is given and gives back. */
package io.gcdiag.ingest.format;
