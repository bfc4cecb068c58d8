package io.gcdiag.measures;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.threads.ThreadGroupSample.WorkRounds;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.UnendedRequests;
import io.gcdiag.measures.threads.UnendedWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The time in which requests can be delayed: from the first request to the last response, or as
 * long as threads still wait after it. The time outside is no baseline. A change that coincides
 * with the first requests is no change of the service, and a pause after the last one is no
 * incident.
 */
final class LoadedSpan {

  /** The part of the recording; all of it if there are requests from beginning to end. */
  static Window of(Timeline timeline) {
    Window span = recorded(timeline);
    Optional<Window> tested = RequestDelays.tested(timeline);
    // Anything shorter would be no baseline anyway.
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

  /** Whether requests still wait that the load test has given up or not written down. */
  private static boolean isAwaited(Timeline timeline, Window after) {
    return isBusy(timeline, after)
        || timeline.dumps(after).stream()
            .mapToDouble(
                dump -> Math.max(UnendedWaits.hidden(timeline, dump), UnendedRequests.inside(dump)))
            .anyMatch(threads -> threads >= Policy.FEWEST_QUEUED);
  }

  /**
   * The span from the first reading of the CPU load on, which a recording gives each second. If it
   * comes late, what is before it are the recording's settings alone: the events of that time were
   * thrown away, by a filter or for want of room.
   */
  static Window recorded(Timeline timeline) {
    Window span = timeline.span();
    List<CpuLoad> loads = timeline.cpu();
    if (MachineLoad.isMetered(timeline) || loads.size() < 2) {
      return span;
    }
    Instant first = loads.get(0).at();
    Instant from = first.minus(Duration.between(first, loads.get(1).at()));
    boolean late = !from.isBefore(span.from().plus(Policy.SUSTAINED));
    // Waits that end in what was kept reach back into what was not, but not through all of it.
    Duration half = Duration.between(span.from(), from).dividedBy(2);
    return late && !isBusy(timeline, new Window(span.from(), span.from().plus(half)))
        ? new Window(from, span.to())
        : span;
  }

  /**
   * The beginning by the workers of a JVM that had just started: the first second in which they
   * took up enough work for a rate. Workers that are always busy are never idle and cannot be
   * counted this way. A service that had been running served requests before its workers were first
   * recorded as idle.
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
            .map(rounds -> first(rounds, span.to()))
            .flatMap(Optional::stream)
            .min(Instant::compareTo)
            .filter(first -> first.isAfter(span.from()))
            .filter(first -> !isBusy(timeline, new Window(span.from(), first)))
        : Optional.empty();
  }

  /**
   * Empty where less than half of the time after it has such work: workers that are as a rule given
   * their work in another way, such as Jetty's reserved threads, have been at work before.
   */
  private static Optional<Instant> first(Collection<WorkRounds> rounds, Instant end) {
    List<WorkRounds> counted =
        rounds.stream()
            .filter(round -> round.lengths().count() >= Policy.FEWEST_COUNTED)
            .sorted(Comparator.comparing(WorkRounds::at))
            .toList();
    double covered = counted.stream().mapToDouble(one -> Durations.seconds(one.length())).sum();
    return counted.stream()
        .map(WorkRounds::at)
        .findFirst()
        .filter(first -> covered > Policy.MAJORITY * new Window(first, end).seconds());
  }

  private static boolean isBusy(Timeline timeline, Window part) {
    double[] lost = LostTime.waiting(timeline, part, LostTime.bucket(part));
    return Arrays.stream(lost).average().orElse(0) > Policy.LEAST_THREADS_FELT;
  }
}
