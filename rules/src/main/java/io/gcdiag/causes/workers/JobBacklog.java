package io.gcdiag.causes.workers;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.requests.Gauge;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.ExecutorBacklog;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * An executor's queue that stands or grows all the time, or request threads of which none is free,
 * by the metrics of the executor or the server.
 */
// Metrics of threads are no signal, so none is reported as missing.
@Judges(Hypothesis.THREAD_POOL_EXHAUSTED)
record JobBacklog(String id) implements Rule {

  static final String ADVICE =
      "check the backlog (queue lag, or rows waiting in the table): if it grows, add worker threads"
          + " (jobs per second x seconds per job, see gcdiag littles-law), or shorten what a job"
          + " waits for; then measure again";

  private static final MetricMeaning BUSY = MetricMeaning.REQUEST_THREADS_BUSY;

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    return incident
        .workerQueue()
        .filter(queue -> queue.role() == WorkerQueue.Role.METERED)
        .map(queue -> new WorkerQueueRule.QueuedWork(id).hand(incident, queue))
        .or(() -> ExecutorBacklog.of(incident).map(backlog -> queue(incident, backlog)))
        .or(() -> Gauge.busiest(timeline, BUSY).flatMap(busy -> taken(incident, busy)))
        .stream()
        .toList();
  }

  private Finding queue(MeasuredIncident incident, ExecutorBacklog backlog) {
    String first = Numbers.count(Math.round(backlog.first()));
    String last = Numbers.count(Math.round(backlog.last()));
    FindingBuilder finding =
        Finding.of(
                id(),
                ("the queue of the executor%s grows, by its own meters, in each of %s readings,"
                        + " from %s to %s tasks in %s%s")
                    .formatted(
                        backlog.name().isEmpty() ? "" : " " + backlog.name(),
                        backlog.readings().size(),
                        first,
                        last,
                        Durations.format(backlog.seconds()),
                        backlog.threads().isPresent()
                            ? ", while all " + backlog.threads().getAsInt() + " threads are at work"
                            : ""))
            .sum(
                "the queue grows by %s tasks per second: %s in %s"
                    .formatted(
                        Numbers.threeDigits(backlog.grown() / backlog.seconds()),
                        Numbers.count(Math.round(backlog.grown())),
                        Durations.format(backlog.seconds())))
            .figure(
                "tasks in the executor's queue, first and last reading", Optional.of(first), last)
            .value("queueGrewBy", backlog.grown())
            .value("tasksPerSecondNotDone", backlog.grown() / backlog.seconds())
            .from(backlog.source())
            .advises(Hypothesis.THREAD_POOL_EXHAUSTED, ADVICE);
    backlog.threads().ifPresent(threads -> finding.value("threads", threads));
    return finding.supports(Hypothesis.THREAD_POOL_EXHAUSTED, isItsSize(incident)).build();
  }

  /**
   * A lead only: the threads may be too few, or each held for longer. Not where the meters show
   * what holds most of them: a pool, the cores, the quota, the collector.
   */
  private Optional<Finding> taken(MeasuredIncident incident, Gauge busy) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    double most =
        Gauge.busiest(timeline, MetricMeaning.REQUEST_THREADS_MAX).stream()
            .flatMapToDouble(gauge -> gauge.highest(timeline.span()).stream())
            .findFirst()
            .orElse(Double.POSITIVE_INFINITY);
    double now = busy.mean(window).orElse(0);
    OptionalDouble before = incident.baseline().map(busy::mean).orElse(OptionalDouble.empty());
    boolean full =
        Arrays.stream(busy.values(window)).filter(at -> at >= Policy.FULL * most).count()
            >= Policy.FULL * busy.values(window).length;
    if (now < Policy.FEWEST_QUEUED
        || !full
        || before.orElse(0) >= Policy.FULL * most
        || ExecutorBacklog.showsThreads(timeline)
        || incident.effects().during(Effect.POOL_WAIT) >= Policy.MAJORITY * now
        || PauseTotals.of(timeline, window).shareStopped() >= Policy.MAJORITY
        || Throttling.isFull(timeline, window)
        || MachineLoad.isFull(incident)) {
      return Optional.empty();
    }
    String count = Numbers.threeDigits(now) + " of " + Numbers.threeDigits(most);
    return Optional.of(
        Finding.of(id(), count + " request threads are busy on average, by the server's own meters")
            .figure("request threads busy, mean", before, now)
            .value("busy", now)
            .value("threads", most)
            .from(busy.source())
            .supports(Hypothesis.THREAD_POOL_EXHAUSTED)
            .build());
  }

  /**
   * Whether a recording shows that the threads are not delayed by slower calls, full CPUs, locks,
   * connections or files.
   */
  private static boolean isItsSize(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    EffectTimes times = incident.effects();
    double heldUp =
        Stream.of(Effect.LOCK_WAIT, Effect.POOL_WAIT, Effect.FILE_WAIT)
            .mapToDouble(times::excessSeconds)
            .sum();
    return timeline.sees(Signal.SOCKET_READS)
        && heldUp < Policy.LASTING_QUEUE / 2 * window.seconds()
        && incident.baseline().isPresent()
        && DownstreamCalls.inflation(incident) <= 1
        && !MachineLoad.isFull(timeline, window);
  }
}
