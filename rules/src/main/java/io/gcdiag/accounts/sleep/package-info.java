/** Requests that sleep. */
package io.gcdiag.accounts.sleep;
