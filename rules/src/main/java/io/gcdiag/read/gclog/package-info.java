/**
 * GC logs of HotSpot JVMs 6 to 25 as evidence: text in, {@link io.gcdiag.read.gclog.GcLog} out,
 * placed on a common clock. The second reader, Microsoft GCToolkit, runs where its figures are
 * asked for.
 */
package io.gcdiag.read.gclog;
