/**
 * Waits for something other than a pool, a worker or the CPU: calls to databases and remote
 * services, locks and deadlocks, files, sleeps, log queues, clients.
 */
package io.gcdiag.causes.waits;
