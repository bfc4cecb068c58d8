/** Finds the baseline and the incident window. */
package io.gcdiag.windows;
