/** Recording files read by our own code: chunks, types, constants and events of format 2.x. */
package io.gcdiag.read.jfr.reader;
