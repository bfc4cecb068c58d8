package io.gcdiag.read.load;

import java.time.Instant;

/**
 * One sample of k6.
 *
 * @param metric what it is of
 * @param at its stamp; of a request, the end
 * @param value not negative
 * @param expected the tag {@code expected_response}; empty where the test did not ask for it
 * @param status the tag {@code status}: of a gRPC call its code, of which 0 is success; empty where
 *     there is none
 * @param endpoint the tags {@code method} and {@code name}; empty where there are none
 */
record K6Sample(
    String metric, Instant at, double value, String expected, String status, String endpoint) {}
