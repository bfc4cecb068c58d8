/**
 * All rules in their order; the ledger of lost time and the causal graph made from their findings.
 */
package io.gcdiag.books;
