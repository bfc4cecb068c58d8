/**
 * Reads thread dumps: {@code jstack}, {@code jcmd Thread.print}, {@code kill -QUIT} between other
 * lines, the text of {@code jdk.ThreadDump}, and {@code Thread.dump_to_file} as text and JSON.
 */
package io.gcdiag.read.dumps;
