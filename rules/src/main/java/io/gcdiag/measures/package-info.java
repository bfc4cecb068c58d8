/**
 * An incident and its figures, each computed once ({@link io.gcdiag.measures.MeasuredIncident}),
 * where the time of requests went before and during it, and which span of time it is.
 */
package io.gcdiag.measures;
