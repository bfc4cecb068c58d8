/** Whether a load test meets its targets, and whether the test itself can be relied on. */
package io.gcdiag.slo;
