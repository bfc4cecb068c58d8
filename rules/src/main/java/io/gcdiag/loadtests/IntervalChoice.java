package io.gcdiag.loadtests;

import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;

/**
 * How long the intervals are, and why.
 *
 * @param length of each
 * @param reason for people
 */
record IntervalChoice(Duration length, String reason) {

  /** A stretch that users notice. */
  private static final double USUAL_SECONDS = 10;

  /** Collections, queues and load swing within a second or two. */
  private static final double SHORTEST_SECONDS = 2;

  /**
   * With 20 intervals a coefficient of 0.44 differs from 0 (artanh 0.44 = 1.96 / root of 17); with
   * fewer, only closer relations can be distinguished from chance.
   */
  private static final int WANTED = 20;

  /** Bounds the work; 14 hours of the default length. */
  private static final int MOST = 5_000;

  /** A percentile of an interval needs this many requests beyond it, else it is that of one. */
  static final double FEWEST_BEYOND = 5;

  /**
   * What the choice depends on.
   *
   * @param length of what is known of the tail
   * @param tailStep step at which it is known
   * @param scrapeStep step of the other series, zero without any
   * @param requestsPerSecond of the load test, 0 if not known
   */
  record Facts(Duration length, Duration tailStep, Duration scrapeStep, double requestsPerSecond) {}

  static IntervalChoice of(Facts facts, CorrelationRequest request) {
    double tailStep = Durations.seconds(facts.tailStep());
    double length = Durations.seconds(facts.length());
    double seconds;
    String reason;
    if (request.every().isPresent()) {
      double asked = Durations.seconds(request.every().get());
      seconds = steps(asked, tailStep);
      reason = seconds > asked ? "as given, in whole intervals of the files" : "as given";
    } else {
      double step = Math.max(tailStep, Durations.seconds(facts.scrapeStep()));
      seconds = USUAL_SECONDS;
      reason = "the default length";
      if (length < WANTED * USUAL_SECONDS) {
        seconds = Math.max(SHORTEST_SECONDS, Math.floor(length / WANTED));
        reason = "so short because the test lasts " + Durations.format(facts.length()) + " only";
      }
      if (step > seconds) {
        seconds = step;
        reason = "the files hold no shorter intervals";
      }
      double needed = FEWEST_BEYOND / (1 - request.percentile().fraction());
      if (facts.requestsPerSecond() > 0 && needed / facts.requestsPerSecond() > seconds) {
        seconds = Math.ceil(needed / facts.requestsPerSecond());
        reason =
            "long enough for %s requests, as %s needs"
                .formatted(Numbers.count(Math.round(needed)), request.percentile());
      }
      seconds = steps(seconds, step);
    }
    if (length / seconds > MOST) {
      seconds = steps(Math.ceil(length / MOST), tailStep);
      reason = "so that there are no more than " + Numbers.count(MOST);
    }
    return new IntervalChoice(Durations.ofSeconds(seconds), reason);
  }

  /** Rounded up to whole steps, so that every interval holds as many of them. */
  private static double steps(double seconds, double step) {
    double rounding = 1e-9;
    return Math.ceil(seconds / step - rounding) * step;
  }
}
