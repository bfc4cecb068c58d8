/** What the JVM and the machine say: pauses, heap, profiles, flags, compilers, CPU, memory. */
package io.gcdiag.evidence.jvm;
