package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Threads of one kind that were started by the same code, and those of them that ended, within a
 * second.
 *
 * @param at the start of the second
 * @param group the threads' name with {@code *} for each number in it
 * @param site the code that started them: the innermost frame outside the JDK
 * @param pooled whether one pool or a few started them for their own use, which grow to a bound
 * @param started how many began in that second
 * @param ended how many of those that this recording saw begin ended in that second
 * @param source where this was read
 */
public record ThreadTurnover(
    Instant at, String group, String site, boolean pooled, long started, long ended, Source source)
    implements Sample {}
