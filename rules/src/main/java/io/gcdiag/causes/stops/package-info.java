/** The application at a stop: safepoints, and the queue of requests that a stop leaves behind. */
package io.gcdiag.causes.stops;
