/**
 * Reads the lines of GC logs into plain records: text in, {@link io.gcdiag.read.gclog.lines.GcLog}
 * out, placed on a common clock. Nothing here knows the other inputs.
 */
package io.gcdiag.read.gclog.lines;
