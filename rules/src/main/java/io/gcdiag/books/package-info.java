/**
 * What a rule found about a cause ({@link io.gcdiag.books.Finding}), and the cause's share, place,
 * edits and prediction.
 */
package io.gcdiag.books;
