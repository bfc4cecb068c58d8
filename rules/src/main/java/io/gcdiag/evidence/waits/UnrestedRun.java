package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * A stretch of time in which a sampler found a thread again and again and never at rest: neither in
 * a selector nor parked without work.
 *
 * @param at when it begins, in whole seconds
 * @param length how long it is
 * @param group the thread's name with its digits replaced by N, as in {@link SampledTime}
 * @param thread tells the threads of a recording apart
 * @param samples how many
 * @param waiting how many of them inside a native call that waits for an answer
 */
public record UnrestedRun(
    Instant at, Duration length, String group, long thread, long samples, long waiting)
    implements Sample {}
