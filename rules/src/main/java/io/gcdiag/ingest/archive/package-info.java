/** Zip and tar archives as folders of files, also when they are damaged. */
package io.gcdiag.ingest.archive;
