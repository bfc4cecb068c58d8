/** Puts what logs hold onto the common clock. */
package io.gcdiag.ingest.gclog.placing;
