/**
 * GC logs of HotSpot JVMs 6 to 25 as evidence, and the second reader, Microsoft GCToolkit, where
 * its figures are asked for.
 */
package io.gcdiag.read.gclog;
