/** Waits that are no call: locks and deadlocks, files, sleeps, log queues, clients. */
package io.gcdiag.causes.waits;
