package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.time.Sample;
import java.time.Instant;

/**
 * Threads that belong to no server were seen to hand requests their answers: requests wait for what
 * such threads do, though no thread does.
 *
 * @param at when that was seen first
 * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
 * @param server the server or framework that took the answer
 * @param samples how often it was seen
 */
public record AnsweringGroup(Instant at, String group, String server, long samples)
    implements Sample {}
