/**
 * Quantities with their units: checked, comparable, parsed and printed the same way everywhere.
 * Tables of words that come with the program.
 */
package io.gcdiag.units;
