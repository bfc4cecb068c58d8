/** Downstream calls and file I/O of a window, recorded or sampled. */
package io.gcdiag.measures.calls;
