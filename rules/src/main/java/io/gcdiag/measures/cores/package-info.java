/** CPU use of a window and what waited for CPU. */
package io.gcdiag.measures.cores;
