package io.gcdiag.loadtests;

import io.gcdiag.evidence.RequestSeries;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.LoggedError;
import io.gcdiag.evidence.threads.LoggedError.Kind;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How many requests failed in each of two runs. A request that is refused, or that meets a JVM that
 * has ended, fails at once: the more fail, the lower the percentiles of the latency.
 *
 * @param before share of the requests of the first run that failed, 0 to 1
 * @param after the same of the second
 */
record FailedShares(double before, double after) {

  /** Messages after which the JVM answers nothing. */
  private static final Set<Kind> ENDS =
      EnumSet.of(Kind.KILLED_FOR_MEMORY, Kind.MEMORY_REFUSED, Kind.CRASHED);

  /** Absent where a run does not state it. */
  static Optional<FailedShares> of(Timeline before, Window first, Timeline after, Window second) {
    return share(before, first)
        .flatMap(one -> share(after, second).map(two -> new FailedShares(one, two)));
  }

  private static Optional<Double> share(Timeline timeline, Window window) {
    Optional<RequestSeries> series = timeline.requestsOfSpan();
    Optional<Double> inside =
        series
            .map(requests -> requests.within(window))
            .flatMap(requests -> share(requests.failed(), requests.requests()));
    if (series.filter(timeline::isOfClient).isPresent()) {
      return inside;
    }
    // What a server's meters count did not fail on the way.
    return timeline
        .mainRequestStats()
        .filter(stats -> stats.failed().isPresent() && stats.requests().isPresent())
        .flatMap(FailedShares::share)
        .or(() -> inside);
  }

  private static Optional<Double> share(RequestStats stats) {
    return share(stats.failed().getAsLong(), stats.requests().getAsLong());
  }

  private static Optional<Double> share(double failed, double requests) {
    return requests > 0 ? Optional.of(failed / requests) : Optional.empty();
  }

  /** Whether one run has clearly more failures than the other. */
  boolean differ() {
    return Math.abs(after - before) > Policy.TOLERABLE_FAILURES;
  }

  /** Whether the run with more failures has the lower latency, as failures make it. */
  boolean explain(double changeOfLatency) {
    return differ() && (after < before) == (changeOfLatency > 0);
  }

  /** {@code Failed requests: 41.5 % -> none}. */
  String headline() {
    return "Failed requests: " + text(before) + " -> " + text(after);
  }

  private static String text(double share) {
    return share == 0 ? "none" : new Ratio(share).toString();
  }

  /** What makes latencies of such runs no comparison. */
  String warning() {
    return ("the %s run has more failed requests (%s -> %s) and lower latencies: a"
            + " request that fails at once lowers them")
        .formatted(after < before ? "first" : "second", text(before), text(after));
  }

  /** Says of each run whose JVM ended in it that it did. */
  static List<String> ends(Timeline before, Timeline after) {
    List<String> ends = new ArrayList<>();
    end(before, "first").ifPresent(ends::add);
    end(after, "second").ifPresent(ends::add);
    return ends;
  }

  private static Optional<String> end(Timeline timeline, String which) {
    return timeline.samples(LoggedError.class).stream()
        .filter(error -> ENDS.contains(error.kind()))
        .findFirst()
        .map(
            error ->
                "a JVM ended in the %s run (%s, %s): figures after that are missing, not low"
                    .formatted(which, error.source(), error.at()));
  }
}
