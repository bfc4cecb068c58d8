/** Waits of one kind: for a slow client, in a log queue, for what no other cause covers. */
package io.gcdiag.accounts.waits;
