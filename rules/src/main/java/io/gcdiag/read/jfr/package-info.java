/**
 * Recordings, and what recorded events mean, by subject: stops, heap, machine, profiles, waits. Two
 * readers stand behind one door: our own ({@code reader}) and, where it is chosen, the JDK's
 * ({@code jdk.jfr.consumer}), which is slower and the reference that ours is held against.
 */
package io.gcdiag.read.jfr;
