package io.gcdiag.rules;

import io.gcdiag.evidence.SampledTime;
import io.gcdiag.evidence.WaitKind;
import java.time.Duration;
import java.util.Optional;

/** Samples of request threads in calls to a database, a second each. */
final class CallSamples {

  private CallSamples() {}

  /**
   * One second of them.
   *
   * @param second when it begins, after the recording's start
   * @param samples how many were taken
   * @param threads how many threads were in calls on average
   */
  static SampledTime at(int second, long samples, double threads) {
    return new SampledTime(
        IncidentBuilder.at(second),
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
