/** Runs many cases in processes of their own and keeps their rows. */
package io.gcdiag.cli.fleet;
