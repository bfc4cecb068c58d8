/**
 * The rule book: one class per check, one enum constant per root cause. Rules read evidence and
 * return findings; they do no input or output and know no file format.
 */
package io.gcdiag.rules;
