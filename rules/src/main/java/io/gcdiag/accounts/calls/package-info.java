/** Downstream calls: how much of the lost time they take, and why they take longer. */
package io.gcdiag.accounts.calls;
