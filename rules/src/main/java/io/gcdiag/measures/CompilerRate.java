package io.gcdiag.measures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.JvmSample.CompilerCount;
import io.gcdiag.evidence.time.CounterReadings;
import io.gcdiag.evidence.time.TimeOrder;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * How many methods the JVM compiles a second, over time. It falls from hundreds after a start to a
 * few when the code that is used has been compiled.
 */
final class CompilerRate {

  /** Single seconds vary by ten times: some together show the level. */
  private static final Duration STEP = Duration.ofSeconds(5);

  private final List<CompilerCount> counts;

  private CompilerRate(List<CompilerCount> counts) {
    this.counts = counts;
  }

  static CompilerRate of(Timeline timeline) {
    return new CompilerRate(timeline.samples(CompilerCount.class));
  }

  /**
   * After how long it is down to the level of the second half, for the first time; zero if it was
   * there from the start, if the counters were not read, or if it stays above it until the half or
   * for longer than asked about.
   */
  Duration settledWithin(Duration most, Window span) {
    Duration half = span.length().dividedBy(2);
    double later = perSecond(span.from().plus(half), span.to());
    Duration after = Duration.ZERO;
    while (after.compareTo(half) <= 0 && after.compareTo(most) <= 0) {
      Instant from = span.from().plus(after);
      if (perSecond(from, from.plus(STEP)) <= Policy.CLEARLY_MORE * later) {
        return after;
      }
      after = after.plusSeconds(1);
    }
    return Duration.ZERO;
  }

  /** Between the first and the last reading of a stretch; 0 with less than two. */
  private double perSecond(Instant from, Instant to) {
    List<CompilerCount> inside =
        TimeOrder.within(counts, CompilerCount::at, new Window(from, to.plusNanos(1)));
    return CounterReadings.perSecond(inside, CompilerCount::compiled).orElse(0);
  }
}
