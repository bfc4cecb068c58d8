/** The heap before and after collections, its generations and regions, and who allocates. */
package io.gcdiag.evidence.heap;
