/**
 * The catalogue of root causes. They lie in the packages below, by what a request waits for:
 * memory, a connection, a worker thread, a lock or call, a core, the end of a stop.
 */
package io.gcdiag.causes;
