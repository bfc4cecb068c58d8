/** What scripts collect on a machine: the kernel's files and the output of its tools. */
package io.gcdiag.read.tools;
