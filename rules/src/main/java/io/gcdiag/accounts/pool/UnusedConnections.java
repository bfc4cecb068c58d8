package io.gcdiag.accounts.pool;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.threads.VirtualThreadUse;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.SampledTime;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.evidence.waits.WaitingThreads;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.stops.PauseTotals;
import io.gcdiag.measures.waits.UntimedWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Whether a recording shows threads waiting for connections while no thread at all is at work. Even
 * a pool of one connection has it at work whenever a thread waits for it, so that nothing needs to
 * be known of the time before.
 *
 * <p>The seconds are those in which borrowers waited by events, and those before a dump in which
 * they wait: a wait that had not ended when the recording did is no event.
 *
 * @param atWork threads that the sampler found at something else than waiting without work, on
 *     average: request threads that compute or are in a native call, and any thread in a call
 * @param seconds so many seconds
 * @param dump the dump that shows the borrowers, where no event does
 */
record UnusedConnections(double atWork, int seconds, Optional<Source> dump) {

  private static final Duration SECOND = Duration.ofSeconds(1);

  /** Found at work for a third of the time at most, it is kept for most of the time. */
  private static final double HARDLY_EVER = 1.0 / 3;

  static Optional<UnusedConnections> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    // No sample shows what virtual threads do with a connection.
    if (!timeline.samples(VirtualThreadUse.class).isEmpty()) {
      return Optional.empty();
    }
    TreeSet<Instant> waited = byEvents(timeline, window);
    Optional<ThreadSnapshot> dump =
        waited.size() >= MachineLoad.SUSTAINED ? Optional.empty() : idleDump(timeline, window);
    dump.flatMap(ThreadSnapshot::at).ifPresent(at -> addBefore(waited, at));
    return waited.size() < MachineLoad.SUSTAINED ? Optional.empty() : of(timeline, waited, dump);
  }

  private static Optional<UnusedConnections> of(
      Timeline timeline, TreeSet<Instant> waited, Optional<ThreadSnapshot> dump) {
    Window all = new Window(waited.first(), waited.last().plus(SECOND));
    boolean disturbed =
        PauseTotals.of(timeline, all).shareStopped() >= Policy.HARDLY_STOPPED
            || MachineLoad.isFull(timeline, all);
    // Calls that park, as those of asynchronous clients do, are met by no sample of native calls.
    boolean allSeen =
        dump.isPresent()
            || UntimedWaits.of(timeline, all).filter(o -> o.threads() < HARDLY_EVER).isPresent();
    if (disturbed || !allSeen) {
      return Optional.empty();
    }
    TreeMap<Instant, Double> atWork = new TreeMap<>();
    for (SampledTime sample : timeline.samples(SampledTime.class, all)) {
      if (waited.contains(sample.at())) {
        atWork.merge(sample.at(), isAtWork(sample) ? sample.threads() : 0, Double::sum);
      }
    }
    double mean = atWork.values().stream().mapToDouble(Double::doubleValue).average().orElse(1);
    return atWork.size() >= MachineLoad.SUSTAINED && mean < HARDLY_EVER
        ? Optional.of(new UnusedConnections(mean, atWork.size(), dump.map(ThreadSnapshot::source)))
        : Optional.empty();
  }

  private static boolean isAtWork(SampledTime sample) {
    return sample.onRequestThread()
        ? sample.waiting().filter(kind -> kind == WaitKind.IDLE).isEmpty()
        : sample.waitsFor(WaitKind.DOWNSTREAM);
  }

  /** The whole seconds in which borrowers waited. */
  private static TreeSet<Instant> byEvents(Timeline timeline, Window window) {
    TreeSet<Instant> waited = new TreeSet<>();
    Map<Instant, Double> bySecond = new HashMap<>();
    double each = Durations.seconds(WaitSeries.BUCKET);
    Instant from = window.from().truncatedTo(ChronoUnit.SECONDS);
    WaitingThreads.at(timeline.waits(WaitKind.POOL))
        .forEach(
            new Window(from, window.to().plus(SECOND)),
            (step, threads) ->
                bySecond.merge(
                    from.plus(WaitSeries.BUCKET.multipliedBy(step)).truncatedTo(ChronoUnit.SECONDS),
                    threads * each,
                    Double::sum));
    bySecond.forEach(
        (second, threads) -> {
          if (threads >= Policy.RECURRING && window.contains(second)) {
            waited.add(second);
          }
        });
    return waited;
  }

  /** A dump in which borrowers wait, and no request thread does anything else. */
  private static Optional<ThreadSnapshot> idleDump(Timeline timeline, Window window) {
    List<ThreadSnapshot> dumps =
        timeline.dumps(window).stream()
            .filter(dump -> dump.count(ThreadActivity.WAITING_FOR_POOL) >= Policy.RECURRING)
            .toList();
    return dumps.isEmpty() || !dumps.stream().allMatch(UnusedConnections::nobodyWorks)
        ? Optional.empty()
        : Optional.of(dumps.get(dumps.size() - 1));
  }

  private static boolean nobodyWorks(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(ThreadState::requestThread)
        .map(ThreadState::activity)
        .allMatch(at -> at == ThreadActivity.WAITING_FOR_POOL || at == ThreadActivity.IDLE);
  }

  private static void addBefore(TreeSet<Instant> waited, Instant dump) {
    Instant second = dump.truncatedTo(ChronoUnit.SECONDS);
    for (int i = 1; i <= MachineLoad.SUSTAINED; i++) {
      waited.add(second.minusSeconds(i));
    }
  }
}
