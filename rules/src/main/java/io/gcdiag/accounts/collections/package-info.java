/** GC pauses: which collections, what caused them, and what each cause adds to the stopped time. */
package io.gcdiag.accounts.collections;
