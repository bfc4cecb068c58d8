/** Which JVM each file is of, and which files are of another one than the rest. */
package io.gcdiag.ingest.process;
