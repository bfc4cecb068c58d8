/**
 * Text that a JVM or its application prints, GC logs aside: thread dumps ({@code jstack}, {@code
 * jcmd Thread.print}, {@code kill -QUIT} between other lines, the text of {@code jdk.ThreadDump},
 * {@code Thread.dump_to_file} as text and JSON), class histograms, crash files, what else jcmd
 * prints, and logs of applications and of the kernel.
 */
package io.gcdiag.read.dumps;
