/** Temporary copies of what cannot be read twice where it lies. Nothing else writes files. */
package io.gcdiag.ingest.spool;
