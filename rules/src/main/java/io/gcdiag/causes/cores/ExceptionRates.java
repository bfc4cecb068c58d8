package io.gcdiag.causes.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.ExceptionCount;
import io.gcdiag.evidence.time.CounterReadings;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Exceptions per second.
 *
 * @param during in the incident
 * @param before in the baseline, or in the part of the incident with the least CPU use; empty if
 *     unknown
 * @param source where the counter was read
 */
record ExceptionRates(double during, OptionalDouble before, Source source) {

  /**
   * Lower bound of the cost of one exception: an object and a stack walk of 20 frames. Measured in
   * a loop with default flags: 1.4 us on JDK 17, 0.6 us on JDK 25.
   */
  static final double LEAST_SECONDS = 1e-6;

  /**
   * Upper bound of the cost of one exception: the JVM walks at most 1,024 frames ({@code
   * MaxJavaStackTraceDepth}), each in 48 ns on JDK 17 and in 19 ns on JDK 25 (measured in the same
   * loop at depths of 100 to 1,024; compiled and interpreted code take the same time). A slower
   * machine takes longer, so the attributed cost may be too low, but not too high.
   */
  static final double MOST_SECONDS = 1024 * 50e-9;

  /**
   * Typical cost in a service at the same rates: 100 frames, as for a request below a framework and
   * its server, on JDK 17 or older. Newer JDKs take half as long.
   */
  static final double USUAL_SECONDS = 100 * 50e-9;

  /** Empty if the counter was not read twice in the incident. */
  static Optional<ExceptionRates> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    OptionalDouble during = rate(timeline, window);
    if (during.isEmpty()) {
      return Optional.empty();
    }
    OptionalDouble before =
        RuntimeWork.baseline(incident)
            .map(baseline -> rate(timeline, baseline))
            .orElse(OptionalDouble.empty());
    Source source = timeline.samples(ExceptionCount.class, window).get(0).source();
    return Optional.of(new ExceptionRates(during.getAsDouble(), before, source));
  }

  /** The increase over the baseline; without a baseline, all exceptions. */
  double growth() {
    return Math.max(0, during - before.orElse(0));
  }

  private static OptionalDouble rate(Timeline timeline, Window window) {
    return CounterReadings.perSecond(
        timeline.samples(ExceptionCount.class, window), ExceptionCount::total);
  }
}
