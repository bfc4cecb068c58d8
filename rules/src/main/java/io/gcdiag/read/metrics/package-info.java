/**
 * Readings over time from outside of the JVM's own files: metrics as a server or an exporter has
 * them, and what scripts collect on a machine, the kernel's files and the output of its tools.
 */
package io.gcdiag.read.metrics;
