/** The command-line tool. */
package io.gcdiag.cli;
