/**
 * Java Flight Recorder files: what is done with their events. {@code chunk} reads them with code of
 * our own, {@code api} through the JDK's, and both hand them on as {@code event} says.
 */
package io.gcdiag.ingest.jfr;
