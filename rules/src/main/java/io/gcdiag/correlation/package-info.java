/** What moves with the tail of the latency: leads to follow, and no proof of anything. */
package io.gcdiag.correlation;
