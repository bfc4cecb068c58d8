/**
 * What a rule says of a cause ({@link io.gcdiag.books.Finding}), and what is booked on it: share,
 * place, edits, prediction.
 */
package io.gcdiag.books;
