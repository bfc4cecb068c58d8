/** Series that move with the tail of the latency. */
package io.gcdiag.accounts.requests;
