package io.gcdiag.causes.memory;

import io.gcdiag.books.Prediction.Range;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.AllocationRate;
import io.gcdiag.stats.EventCount;
import java.util.Optional;

/**
 * How many collections come once a cause is gone, by how many were counted.
 *
 * @param perMinute collections a minute
 * @param stopped share of the time that they stop, 0 to 1; absent where no collection was seen, and
 *     nothing says how long one takes
 * @param more whether the incident allocates more than the baseline that was counted in
 */
record CollectionsDue(Range perMinute, Optional<Range> stopped, boolean more) {

  private static final double SECONDS_PER_MINUTE = 60;

  /**
   * As in the baseline, if there is one, else as now.
   *
   * @param now those of the incident
   * @param baseline those of the baseline
   * @param remain whether the cause has no part in them: then those of now go on
   */
  static CollectionsDue of(
      Case incident, CollectionCount now, Optional<CollectionCount> baseline, boolean remain) {
    double busier = baseline.isPresent() ? busier(incident) : 1;
    double each = usualPause(incident.timeline());
    Ways asNow = ways(now, 1, each);
    Ways due =
        baseline
            .map(count -> ways(count, busier, each))
            .map(calmly -> remain ? calmly.or(asNow) : calmly)
            .orElse(asNow);
    return new CollectionsDue(
        due.perMinute(), each == 0 ? Optional.empty() : Optional.of(due.stopped()), busier > 1);
  }

  /** Collections a minute and share of time stopped, as some stretch of time suggests them. */
  private record Ways(Range perMinute, Range stopped) {
    Ways or(Ways other) {
      return new Ways(both(perMinute, other.perMinute), both(stopped, other.stopped));
    }

    private static Range both(Range one, Range other) {
      return new Range(
          Math.min(one.low(), other.low()),
          Math.max(one.high(), other.high()),
          (one.middle() + other.middle()) / 2);
    }
  }

  private static Ways ways(CollectionCount seen, double more, double usualPause) {
    int count = seen.count();
    EventCount due = EventCount.of(count);
    double each = count == 0 ? usualPause : seen.stoppedShare() * seen.seconds() / count;
    double likely = due.expected() * Math.sqrt(more) / seen.seconds();
    double low = likely / factor(due.expected() / due.atLeast(), more);
    double high = likely * factor(due.atMost() / due.expected(), more);
    return new Ways(
        new Range(low * SECONDS_PER_MINUTE, high * SECONDS_PER_MINUTE, likely * SECONDS_PER_MINUTE),
        new Range(Math.min(1, low * each), Math.min(1, high * each), Math.min(1, likely * each)));
  }

  /**
   * How far the count is from the likeliest at one end: the error of counting and that of how much
   * more is allocated, from as much as before to {@code more} times it, do not depend on each
   * other.
   */
  private static double factor(double counting, double more) {
    return Math.exp(Math.hypot(Math.log(counting), Math.log(more) / 2));
  }

  /** Seconds stopped per collection over all that is known; 0 if none is. */
  private static double usualPause(Timeline timeline) {
    CollectionCount all = CollectionCount.of(timeline, timeline.span());
    return all.count() == 0 ? 0 : all.stoppedShare() * all.seconds() / all.count();
  }

  /**
   * By what factor the incident allocated more than the baseline: its load may have been higher.
   */
  private static double busier(Case incident) {
    Timeline timeline = incident.timeline();
    Optional<Window> baseline = incident.baseline();
    Optional<AllocationRate> before = baseline.flatMap(c -> incident.allocation(c));
    Optional<AllocationRate> during = incident.allocation(incident.window());
    if (before.isEmpty() || during.isEmpty() || before.get().bytesPerSecond() <= 0) {
      return 1;
    }
    return Math.max(1, during.get().bytesPerSecond() / before.get().bytesPerSecond());
  }
}
