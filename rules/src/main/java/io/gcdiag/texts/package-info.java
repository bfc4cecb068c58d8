/**
 * Reads the texts that come with the program: what names mean, as data beside the code that asks.
 */
package io.gcdiag.texts;
