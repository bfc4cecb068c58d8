/**
 * The types in which rules and causes are written, and the account of the lost time: what a rule
 * found ({@link io.gcdiag.books.Finding}), what that says of a cause ({@link
 * io.gcdiag.books.Bearing}), which share of the lost time the cause explains ({@link
 * io.gcdiag.books.Attribution}), and where it is, what to change and what to expect of that.
 */
package io.gcdiag.books;
