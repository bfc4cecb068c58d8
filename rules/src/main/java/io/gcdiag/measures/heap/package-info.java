/** What collections leave in the heap, and what room they have: figures of one window. */
package io.gcdiag.measures.heap;
