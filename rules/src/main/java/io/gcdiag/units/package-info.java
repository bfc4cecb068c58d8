/**
 * Quantities with their units: checked, comparable, parsed and printed the same way everywhere. The
 * only place that turns a number into text for people.
 */
package io.gcdiag.units;
