/** Locks: what requests wait for, and what the owners do meanwhile. */
package io.gcdiag.accounts.locks;
