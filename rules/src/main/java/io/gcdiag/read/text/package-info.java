/**
 * Text that is neither a GC log nor a dump: logs of applications and of the kernel, crash files,
 * class histograms, lists of processes, and what jcmd prints of a JVM.
 */
package io.gcdiag.read.text;
