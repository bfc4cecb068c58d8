/**
 * From findings to an ordered answer: the ledger of the lost time, what it is handed on to, the
 * verdicts and their order. The result is complete: every report is a pure view of it.
 */
package io.gcdiag.diagnosis;
