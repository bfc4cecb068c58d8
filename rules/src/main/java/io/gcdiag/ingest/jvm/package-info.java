/**
 * Reads what tools print of a JVM's flags and heap: {@code jcmd}, {@code jmap -heap}, {@code
 * jhsdb}.
 */
package io.gcdiag.ingest.jvm;
