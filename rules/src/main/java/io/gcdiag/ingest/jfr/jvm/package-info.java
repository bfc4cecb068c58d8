/** Recorded state of the JVM and the machine: collections, compilers, threads, CPU. */
package io.gcdiag.ingest.jfr.jvm;
