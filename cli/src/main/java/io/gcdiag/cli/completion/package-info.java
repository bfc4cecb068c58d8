/** Scripts that complete the command line in a shell, made of the pages of the commands. */
package io.gcdiag.cli.completion;
