/** Time that stop-the-world pauses, safepoints and CPU throttling took in a window. */
package io.gcdiag.measures.stops;
