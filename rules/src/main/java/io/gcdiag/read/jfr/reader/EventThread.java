package io.gcdiag.read.jfr.reader;

/**
 * A thread that an event refers to.
 *
 * @param id distinguishes the threads of a recording, including those without a Java name
 * @param javaId Java's number of the thread; 0 if it is no Java thread
 * @param name its Java name; empty if it has none
 * @param virtual whether it is a virtual thread
 */
public record EventThread(long id, long javaId, String name, boolean virtual) {}
