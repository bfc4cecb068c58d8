/** The command-line tool: its start and its commands, which are thin. */
package io.gcdiag.cli;
