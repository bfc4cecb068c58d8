package io.gcdiag.read.jfr.reader;

/**
 * A thread that an event names.
 *
 * @param id tells threads of one recording apart, also those without a Java name
 * @param javaId the number Java gave it; 0 if it is none of Java's
 * @param name the name Java code gave it; empty if it has none
 * @param virtual whether it is a virtual thread
 */
public record EventThread(long id, long javaId, String name, boolean virtual) {}
