/**
 * Worker threads, event loops and carriers: groups with no free thread, and threads that pile up.
 */
package io.gcdiag.causes.workers;
