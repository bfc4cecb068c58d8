/**
 * Calls to databases and remote services: how much of the lost time they take, and why they take
 * longer.
 */
package io.gcdiag.causes.calls;
