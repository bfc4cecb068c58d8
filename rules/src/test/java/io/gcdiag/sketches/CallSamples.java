package io.gcdiag.sketches;

import io.gcdiag.Made;
import io.gcdiag.evidence.threads.ThreadGroupSample.SampledTime;
import io.gcdiag.evidence.threads.WaitKind;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Samples of request threads in calls to a database, a second each. */
public final class CallSamples {

  private CallSamples() {}

  /**
   * One second of them.
   *
   * @param second when it begins, after the recording's start
   * @param samples how many were taken
   * @param threads how many threads were in calls on average
   */
  public static SampledTime at(int second, long samples, double threads) {
    return from(IncidentBuilder.at(second), samples, threads);
  }

  /** The same from a given moment on. */
  public static SampledTime from(Instant begin, long samples, double threads) {
    return Made.sampled(
        begin,
        Duration.ofSeconds(1),
        Optional.of(WaitKind.DOWNSTREAM),
        "PostgreSQL",
        "Orders.find",
        "http-N",
        true,
        samples,
        threads);
  }
}
