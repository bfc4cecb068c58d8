/** Rate, latency and excess latency of requests in a window, and single metric series. */
package io.gcdiag.measures.requests;
