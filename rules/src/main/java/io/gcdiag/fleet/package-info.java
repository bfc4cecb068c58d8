/**
 * Verdicts over many cases: which files are a case, a row for each, and what all rows say together.
 */
package io.gcdiag.fleet;
