package io.gcdiag.evidence;

/**
 * One thread in a dump.
 *
 * @param name the thread's name
 * @param state the Java state such as {@code TIMED_WAITING}; empty for the JVM's own threads
 * @param activity what it was doing
 * @param subject the pool, library or lock of that activity; may be empty
 * @param requestThread whether its stack or name marks it as one that serves requests
 */
public record ThreadState(
    String name, String state, ThreadActivity activity, String subject, boolean requestThread) {}
