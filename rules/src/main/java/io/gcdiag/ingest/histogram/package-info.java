/**
 * Reads class histograms: {@code jmap -histo}, {@code jcmd GC.class_histogram}, and those in logs.
 */
package io.gcdiag.ingest.histogram;
