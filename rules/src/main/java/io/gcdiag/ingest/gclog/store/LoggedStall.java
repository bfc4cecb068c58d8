package io.gcdiag.ingest.gclog.store;

import io.gcdiag.ingest.gclog.text.LogStamp;
import java.time.Duration;

/**
 * One safepoint as the log has it: all application threads were brought to a stop, something was
 * done, they went on.
 *
 * <p>For a collection ({@code collection} is true) the time at the safepoint holds the pause that
 * is reported on its own, so only {@code reaching} adds to what the application lost.
 *
 * @param start when the JVM began to stop the threads
 * @param reaching how long it took until all had stopped; zero if not logged
 * @param at how long they stood
 * @param operation the JVM's name of what was done, such as {@code ThreadDump}; empty if not logged
 * @param collection whether it was (part of) a collection
 * @param line the line it was read from, counted from 1
 */
public record LoggedStall(
    LogStamp start,
    Duration reaching,
    Duration at,
    String operation,
    boolean collection,
    long line) {}
