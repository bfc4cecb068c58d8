/** Where a fact was read, which signals the inputs carry, and how completely. */
package io.gcdiag.evidence.source;
