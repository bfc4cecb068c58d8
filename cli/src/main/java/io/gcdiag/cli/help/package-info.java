/**
 * What the help, the man pages, the reference and the completion say of each command. Nothing here
 * is loaded by a command that does its work.
 */
package io.gcdiag.cli.help;
