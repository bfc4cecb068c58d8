/** Requests as load generators and service metrics measure them. */
package io.gcdiag.evidence.requests;
