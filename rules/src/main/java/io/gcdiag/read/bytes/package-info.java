/**
 * What every reader stands on: files and archives, also damaged ones, their lines and clocks, what
 * is hidden of them, and what a reader is given and returns.
 */
package io.gcdiag.read.bytes;
