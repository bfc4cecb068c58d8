package io.gcdiag.measures.threads;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows.ChosenBy;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.policy.Policy;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Carriers of virtual threads that made no progress between two dumps: the same virtual thread is
 * mounted and used no CPU time in between. A virtual thread that blocks is normally unmounted; one
 * that stays mounted without running holds its carrier. An event shows this only when it ends.
 * Dumps written to a file have no CPU times, but show which mounted virtual threads are parked or
 * in {@code Object.wait}.
 *
 * @param virtualThreads numbers of these virtual threads, as dumps print them, ascending
 * @param free carriers of the same scheduler that have no virtual thread mounted in the last dump
 * @param carriers number of the scheduler's carriers; empty if unknown
 * @param length from the first dump to the last, for the virtual thread that was held shortest
 */
public record HeldCarriers(
    List<Long> virtualThreads,
    int free,
    OptionalInt carriers,
    Duration length,
    List<Source> sources) {

  /** Blocking calls that pin a carrier for longer than this would be noticed otherwise. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /** CPU load is sampled once a second; this is a few samples. */
  private static final Duration SOME_READINGS = Duration.ofSeconds(5);

  /** {@code ForkJoinPool-1-worker-3}: carriers are named like the threads of any fork-join pool. */
  private static final String WORKER = "-worker-";

  /** Innermost frame of a carrier's own stack while a virtual thread is mounted. */
  private static final String RUNS_VIRTUAL_THREAD = "jdk.internal.vm.Continuation.run";

  /** A carrier with a mounted virtual thread, and the first dump that shows it. */
  private record Since(ThreadState carrier, ThreadSnapshot dump) {}

  /** Empty if the last dump of the incident shows no held carrier. */
  public static Optional<HeldCarriers> of(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    return dumps.isEmpty() ? Optional.empty() : of(incident, standing(dumps), dumps);
  }

  /**
   * Whether the last dump of the incident may show held carriers that no event records: every
   * carrier has a mounted virtual thread, and nothing shows whether they made progress.
   */
  public static boolean isPossible(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    OptionalInt carriers = PinnedCarriers.carriers(incident.timeline());
    return !dumps.isEmpty()
        && carriers.isPresent()
        && lastDump(incident).threads().stream().filter(HeldCarriers::isCarrying).count()
            >= carriers.getAsInt();
  }

  /**
   * The last dump of the incident if it shows a virtual thread on each carrier although CPU use was
   * low in the seconds before. It is unlikely, but possible in a single dump, that all were running
   * at that moment: two carriers that each run for a tenth of the time are both found running in
   * one of a hundred dumps.
   */
  public static Optional<ThreadSnapshot> idleInLastDump(Incident incident) {
    if (!isPossible(incident)) {
      return Optional.empty();
    }
    Timeline timeline = incident.timeline();
    ThreadSnapshot last = lastDump(incident);
    Instant at = last.at().orElseThrow();
    double jvm = MachineLoad.jvm(timeline, new Window(at.minus(SOME_READINGS), at)).orElse(1);
    double carriers = PinnedCarriers.carriers(timeline).orElse(0);
    double computing = jvm * MachineLoad.cores(timeline);
    return Optional.of(last).filter(dump -> computing < Policy.NOTABLE * carriers);
  }

  /**
   * Number of carriers in the only dump of the incident if all their virtual threads wait. They do
   * not run, so one dump is enough, and no carrier is left for the thread that they wait for.
   * {@code parkOnCarrierThread} waits that way, and on JDK 21 to 23 {@code Object.wait} (JEP 444,
   * until JEP 491). For {@code Object.wait} the JVM adds carriers, up to 256; then one is free.
   */
  public static OptionalInt waitedOnInOneDump(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    if (dumps.size() != 1) {
      return OptionalInt.empty();
    }
    List<ThreadState> threads = dumps.get(0).threads();
    long carriers = threads.stream().filter(HeldCarriers::isCarrier).count();
    long all = ofPools(threads);
    long waiting =
        threads.stream().filter(thread -> thread.virtual() && isCarrying(thread)).count();
    return all > 0 && carriers == all && waiting >= all
        ? OptionalInt.of((int) all)
        : OptionalInt.empty();
  }

  /**
   * Carriers that each have a virtual thread mounted in each of several dumps, although they hardly
   * used a CPU from the first dump to the last: it is not the same virtual thread, as each call
   * that blocks ends, but one that runs is unmounted at the next. Carriers that run for a tenth of
   * the time are all found running in one of a hundred looks at two of them.
   *
   * @param carriers number of carriers, all of their pool
   * @param used share of the time in which one ran, on average
   */
  public record Mounted(int carriers, double used, List<ThreadSnapshot> dumps) {}

  /** Empty if a carrier was free in a dump, or most were running. */
  public static Optional<Mounted> mountedInEach(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    if (dumps.size() < Policy.FEWEST_DUMPS
        || incident.timeline().dumps(incident.window()).size() > dumps.size()) {
      return Optional.empty();
    }
    ThreadSnapshot first = dumps.get(0);
    ThreadSnapshot last = dumps.get(dumps.size() - 1);
    Map<String, Long> before = cpuOfCarriers(first);
    Map<String, Long> after = cpuOfCarriers(last);
    boolean each =
        dumps.stream().allMatch(dump -> cpuOfCarriers(dump).size() == ofPools(dump.threads()));
    if (!each
        || !before.keySet().equals(after.keySet())
        || between(first, last).compareTo(LEAST) < 0) {
      return Optional.empty();
    }
    long nanos =
        after.entrySet().stream().mapToLong(e -> e.getValue() - before.get(e.getKey())).sum();
    double used = nanos / (double) between(first, last).toNanos() / after.size();
    return Optional.of(new Mounted(after.size(), used, dumps))
        .filter(any -> any.used() < Policy.NOTABLE);
  }

  /** CPU time of each carrier with a mounted virtual thread, in nanoseconds, by name. */
  private static Map<String, Long> cpuOfCarriers(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> !thread.virtual() && isCarrying(thread))
        .collect(
            Collectors.toMap(ThreadState::name, thread -> thread.standing().cpuNanos(), Long::sum));
  }

  /** Number of threads of the schedulers' pools, with or without a mounted virtual thread. */
  private static long ofPools(List<ThreadState> threads) {
    Set<String> pools =
        threads.stream()
            .filter(HeldCarriers::isCarrier)
            .map(HeldCarriers::pool)
            .collect(Collectors.toSet());
    return threads.stream()
        .filter(thread -> thread.name().contains(WORKER) && pools.contains(pool(thread)))
        .count();
  }

  /** The last dump of the incident that shows mounted virtual threads; there must be one. */
  public static ThreadSnapshot lastDump(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    return dumps.get(dumps.size() - 1);
  }

  /** Dumps that show mounted virtual threads. */
  private static List<ThreadSnapshot> dumps(Incident incident) {
    boolean all = incident.windows().chosenBy() == ChosenBy.WHOLE_RECORDING;
    List<ThreadSnapshot> taken =
        all ? incident.timeline().dumps() : incident.timeline().dumps(incident.window());
    return taken.stream()
        .filter(dump -> dump.at().isPresent())
        .filter(dump -> dump.threads().stream().anyMatch(HeldCarriers::isCarrying))
        .sorted(Comparator.comparing(dump -> dump.at().orElseThrow()))
        .toList();
  }

  /**
   * The mounted virtual threads of the last dump, by number, each with the first dump since which
   * it made no progress.
   */
  private static Map<Long, Since> standing(List<ThreadSnapshot> dumps) {
    Map<Long, Since> standing = new HashMap<>();
    for (ThreadSnapshot dump : dumps) {
      Map<Long, Since> now = new HashMap<>();
      for (ThreadState thread : dump.threads()) {
        if (isCarrying(thread)) {
          long number = thread.standing().carries();
          Since since = standing.get(number);
          boolean same = since != null && stays(since, thread, dump);
          now.put(number, same ? since : new Since(thread, dump));
        }
      }
      standing = now;
    }
    return standing;
  }

  private static Optional<HeldCarriers> of(
      Incident incident, Map<Long, Since> standing, List<ThreadSnapshot> dumps) {
    ThreadSnapshot last = dumps.get(dumps.size() - 1);
    List<Since> kept =
        standing.values().stream()
            .filter(since -> between(since.dump(), last).compareTo(LEAST) >= 0)
            .toList();
    if (kept.isEmpty()) {
      return Optional.empty();
    }
    Duration length =
        kept.stream()
            .map(since -> between(since.dump(), last))
            .min(Duration::compareTo)
            .orElseThrow();
    return Optional.of(
        new HeldCarriers(
            kept.stream().map(since -> since.carrier().standing().carries()).sorted().toList(),
            (int) Math.max(0, ofPools(last.threads()) - kept.size()),
            PinnedCarriers.carriers(incident.timeline()),
            length,
            dumps.stream()
                .filter(dump -> between(dump, last).compareTo(length) <= 0)
                .map(ThreadSnapshot::source)
                .toList()));
  }

  /**
   * Whether no carrier is left for other virtual threads; false if the number of carriers is
   * unknown.
   */
  public boolean isAll() {
    return free == 0 && carriers.isPresent() && virtualThreads.size() >= carriers.getAsInt();
  }

  /**
   * A parked virtual thread that stays mounted makes no progress; no CPU time is needed to know
   * that.
   */
  private static boolean isCarrying(ThreadState thread) {
    return thread.standing().carries() != ThreadPosition.NO_VIRTUAL_THREAD
        && (thread.virtual() || thread.standing().cpuNanos() != ThreadPosition.UNKNOWN_CPU);
  }

  private static boolean isCarrier(ThreadState thread) {
    return !thread.virtual()
        && (isCarrying(thread) || thread.standing().at().equals(RUNS_VIRTUAL_THREAD));
  }

  private static boolean stays(Since since, ThreadState now, ThreadSnapshot dump) {
    ThreadPosition first = since.carrier().standing();
    if (since.carrier().virtual() || now.virtual()) {
      return true;
    }
    long used = now.standing().cpuNanos() - first.cpuNanos();
    return now.name().equals(since.carrier().name())
        && StillThread.used(used, between(since.dump(), dump));
  }

  private static Duration between(ThreadSnapshot from, ThreadSnapshot to) {
    return Duration.between(from.at().orElseThrow(), to.at().orElseThrow());
  }

  private static String pool(ThreadState carrier) {
    int end = carrier.name().lastIndexOf(WORKER);
    return end < 0 ? carrier.name() : carrier.name().substring(0, end);
  }
}
