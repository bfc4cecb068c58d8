package io.gcdiag.evidence.waits;

import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How many threads of a group a sampler found at one thing, over a short stretch of time. Samples
 * see calls of any length, also those below the thresholds of events; they count and do not time.
 *
 * @param at when the stretch begins
 * @param length how long it is
 * @param waiting what the threads waited for in a native call, {@link WaitKind#IDLE} for a poll
 *     without work; empty for threads that executed Java code
 * @param name the pool, library or lock of that wait; may be empty
 * @param stack the innermost frame outside the JDK, as in {@link WaitSite#stack}; may be empty
 * @param group the threads' name with its digits replaced by N
 * @param ofService whether the name is of a client of a service that is no database
 * @param onRequestThread whether these threads serve requests, by stack or name
 * @param samples how often they were met
 * @param threads the mean number of threads that this stands for
 */
public record SampledTime(
    Instant at,
    Duration length,
    Optional<WaitKind> waiting,
    String name,
    boolean ofService,
    String stack,
    String group,
    boolean onRequestThread,
    long samples,
    double threads)
    implements Sample {

  /** Those of threads that serve users, where any is known to. */
  public static List<SampledTime> ofUsers(List<SampledTime> samples) {
    List<SampledTime> users = samples.stream().filter(SampledTime::onRequestThread).toList();
    return users.isEmpty() ? samples : users;
  }

  /** Whether they waited for that. */
  public boolean waitsFor(WaitKind kind) {
    return waiting.filter(what -> what == kind).isPresent();
  }

  /** Thread time in seconds. */
  public double seconds() {
    return threads * length.toNanos() / 1e9;
  }
}
