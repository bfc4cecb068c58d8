package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.threads.ThreadGroupCpu;
import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * For how long the threads of one group were there, over a short stretch of time, and for how much
 * of that an event says where they were. The rest they computed, or waited for less than events
 * show.
 *
 * @param at when the stretch begins
 * @param length how long it is
 * @param group the threads' name with its digits replaced by N, as in {@link SampledTime}
 * @param pattern the threads' name as in {@link ThreadGroupCpu}
 * @param onRequestThread whether threads of that name serve requests
 * @param presentSeconds thread time between each thread's first event or sample and its last,
 *     without that of threads that do nothing but wait for sockets
 * @param waitedSeconds thread time in parks, monitors and sleeps, with work or without
 * @param nativeSeconds thread time in reads, writes and forces of sockets and files
 */
public record GroupTime(
    Instant at,
    Duration length,
    String group,
    String pattern,
    boolean onRequestThread,
    double presentSeconds,
    double waitedSeconds,
    double nativeSeconds)
    implements Sample {}
