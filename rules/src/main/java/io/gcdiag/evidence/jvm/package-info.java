/** What the JVM says of itself: flags, compilers, classes. */
package io.gcdiag.evidence.jvm;
