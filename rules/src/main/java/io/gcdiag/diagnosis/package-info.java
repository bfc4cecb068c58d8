/**
 * From findings to an ordered answer: the ledger of the trouble's time, what it is handed on to,
 * the verdicts and their order. The result is complete: every report is a pure view of it.
 */
package io.gcdiag.diagnosis;
