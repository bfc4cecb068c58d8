/** The catalogue of root causes. Each queue has a room of its own below. */
package io.gcdiag.causes;
