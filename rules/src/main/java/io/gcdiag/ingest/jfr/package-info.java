/**
 * Java Flight Recorder files, through the JDK's own {@code jdk.jfr.consumer} API behind a check of
 * the chunk headers: the API reads ahead, gives up a whole file for one bad chunk, and waits for
 * ever on an unfinished one.
 */
package io.gcdiag.ingest.jfr;
