package io.gcdiag.windows;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.requests.RequestSeries;
import io.gcdiag.evidence.requests.WorkRounds;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Since when requests come. Before, nothing could be delayed: that time is no baseline, and what
 * begins with the requests is no change of the service.
 */
final class LoadBegin {

  private LoadBegin() {}

  /** The recorded time from the first requests on; all of it if they come from its beginning on. */
  static Window span(Timeline timeline) {
    Window span = timeline.span();
    return byLoadTest(timeline, span)
        .or(() -> byWorkers(timeline, span))
        // What is shorter is no baseline anyway.
        .filter(first -> !first.isBefore(span.from().plus(Policy.SUSTAINED)))
        .filter(first -> !first.isAfter(span.to().minus(Policy.SUSTAINED.multipliedBy(2))))
        .map(first -> new Window(first, span.to()))
        .orElse(span);
  }

  /** By a load test that covers most of what was recorded. */
  private static Optional<Instant> byLoadTest(Timeline timeline, Window span) {
    return RequestDelays.covering(timeline, span).flatMap(RequestSeries::span).map(Window::from);
  }

  /**
   * By the workers of a JVM that had not run long enough to show a state: the first second in which
   * they took up enough work to give a rate. Workers that are always busy do not rest and cannot be
   * counted so, and a service that runs has a state before its first recorded rest.
   */
  private static Optional<Instant> byWorkers(Timeline timeline, Window span) {
    boolean starting =
        timeline
            .jvm()
            .start()
            .filter(start -> Duration.between(start, span.from()).compareTo(Policy.SUSTAINED) < 0)
            .isPresent();
    return starting
        ? timeline.samples(WorkRounds.class).stream()
            .collect(Collectors.groupingBy(WorkRounds::group))
            .values()
            .stream()
            .map(LoadBegin::first)
            .flatMap(Optional::stream)
            .min(Instant::compareTo)
            .filter(first -> first.isAfter(span.from()))
            .filter(first -> !isBusy(timeline, new Window(span.from(), first)))
        : Optional.empty();
  }

  private static Optional<Instant> first(Collection<WorkRounds> rounds) {
    return rounds.stream()
        .filter(round -> round.lengths().count() >= Policy.FEWEST_COUNTED)
        .map(WorkRounds::at)
        .min(Instant::compareTo);
  }

  private static boolean isBusy(Timeline timeline, Window before) {
    double[] lost = LostTime.over(timeline, before, LostTime.bucket(before));
    return Arrays.stream(lost).average().orElse(0) > Policy.LEAST_THREADS_FELT;
  }
}
