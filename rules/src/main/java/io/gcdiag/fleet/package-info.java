/**
 * Verdicts over many cases: a row for each, and what all rows say together. Nothing here reads
 * files or knows how cases are run.
 */
package io.gcdiag.fleet;
