package io.gcdiag.evidence.threads;

import io.gcdiag.evidence.time.Sample;
import java.time.Duration;
import java.time.Instant;

/**
 * CPU that threads of one kind used over the interval that ended at an instant.
 *
 * @param at the end of the interval
 * @param interval its length
 * @param group their name, with a {@code *} for each number in it: {@code http-nio-*-exec-*}
 * @param kind what such threads do
 * @param threads how many of them used any
 * @param share user and system time as a share of all the cores that the JVM may use, 0 to 1
 */
public record ThreadGroupCpu(
    Instant at, Duration interval, String group, Kind kind, int threads, double share)
    implements Sample {

  /** What threads do. The collector's own threads are not recorded one by one. */
  public enum Kind {
    /** They serve requests. */
    REQUEST,
    /** They compile methods to machine code. */
    COMPILER,
    /** Anything else. */
    OTHER
  }
}
