/**
 * From findings to an answer: the ledger of the lost time and the causal graph, whether users are
 * affected, the verdict on each cause and their order, what to do and what it would bring. The
 * result is complete: every report is a pure view of it.
 */
package io.gcdiag.verdict;
