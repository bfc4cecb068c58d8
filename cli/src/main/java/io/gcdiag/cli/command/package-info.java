/** The commands: options, then read, diagnose, print. The only package that knows picocli. */
package io.gcdiag.cli.command;
