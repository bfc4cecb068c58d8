package io.gcdiag.evidence.requests;

import io.gcdiag.evidence.time.Sample;
import io.gcdiag.evidence.waits.SampledTime;
import java.time.Duration;
import java.time.Instant;

/**
 * How long threads of one group worked from one rest to the next, over a short stretch of time: the
 * time that each request took them, as long as they rest in between for longer than events show.
 *
 * @param at when the stretch begins, in which the rounds do
 * @param length how long it is
 * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
 * @param lengths how long the rounds were
 * @param rests how long the rests before them were
 */
public record WorkRounds(
    Instant at, Duration length, String group, Latencies lengths, Latencies rests)
    implements Sample {}
