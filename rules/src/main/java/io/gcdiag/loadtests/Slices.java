package io.gcdiag.loadtests;

import io.gcdiag.evidence.RequestInterval;
import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.time.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A test cut into stretches of equal length, each long enough to have percentiles of its own. */
final class Slices {

  /** A stretch that users notice; ten seconds at 100 requests a second hold 1,000 of them. */
  private static final Duration USUAL = Duration.ofSeconds(10);

  /** With fewer stretches "all along" has no meaning. */
  private static final int FEWEST = 3;

  private Slices() {}

  /**
   * Whole slices only: the last seconds of a test, in which the load ends, are no slice. One in
   * which nothing was measured is left out: months may lie between two stretches of metrics.
   */
  static List<RequestInterval> of(RequestSeries series) {
    List<RequestInterval> slices = new ArrayList<>();
    if (series.span().isEmpty()) {
      return slices;
    }
    Window span = series.span().get();
    Duration length = length(series);
    Instant end = span.from();
    for (RequestInterval interval : series.intervals()) {
      if (!interval.from().isBefore(end)) {
        long before = Duration.between(end, interval.from()).dividedBy(length);
        Instant from = end.plus(length.multipliedBy(before));
        end = from.plus(length);
        if (!end.isAfter(span.to())) {
          slices.add(series.within(new Window(from, end)));
        }
      }
    }
    return slices.size() < FEWEST ? List.of() : slices;
  }

  static Duration length(RequestSeries series) {
    return series.step().compareTo(USUAL) > 0 ? series.step() : USUAL;
  }
}
