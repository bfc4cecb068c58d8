package io.gcdiag.measures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.threads.UnendedWaits;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The time in which users can be delayed: from the first request on, to the last answer or for as
 * long as threads wait after it. Outside, nothing could be delayed: that time is no baseline, what
 * begins with the requests is no change of the service, and a stop after them is no incident.
 */
final class LoadedSpan {

  private LoadedSpan() {}

  /** Of what was recorded; all of it if requests come from its beginning to its end. */
  static Window of(Timeline timeline) {
    Window span = timeline.span();
    Optional<Window> tested = RequestDelays.tested(timeline);
    // What is shorter is no baseline anyway.
    Instant from =
        tested
            .map(Window::from)
            .or(() -> byWorkers(timeline, span))
            .filter(first -> !first.isBefore(span.from().plus(Policy.SUSTAINED)))
            .orElse(span.from());
    Instant to =
        tested
            .map(Window::to)
            .filter(last -> !last.isAfter(span.to().minus(Policy.SUSTAINED)))
            .filter(last -> !isAwaited(timeline, new Window(last, span.to())))
            .orElse(span.to());
    return from.isAfter(to.minus(Policy.SUSTAINED.multipliedBy(2))) ? span : new Window(from, to);
  }

  /** Whether users still wait for what a load test has given up or has not written down. */
  private static boolean isAwaited(Timeline timeline, Window after) {
    return isBusy(timeline, after)
        || timeline.dumps(after).stream()
            .anyMatch(dump -> UnendedWaits.hidden(timeline, dump) >= Policy.FEWEST_QUEUED);
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
            .map(LoadedSpan::first)
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

  private static boolean isBusy(Timeline timeline, Window part) {
    double[] lost = LostTime.waiting(timeline, part, LostTime.bucket(part));
    return Arrays.stream(lost).average().orElse(0) > Policy.LEAST_THREADS_FELT;
  }
}
