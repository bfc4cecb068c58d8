/** Figures of a window that are the JVM's and the machine's: heap and allocation, stops, CPU. */
package io.gcdiag.measures.jvm;
