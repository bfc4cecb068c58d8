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
 * Carriers of virtual threads that did not get on from one dump to the next: with the same virtual
 * thread on them, and no CPU time used between. A virtual thread that blocks is taken off its
 * carrier; one that stays on it and computes nothing keeps it. Events show such a stay when it
 * ends, and of one that does not end, nothing. A dump to a file tells no CPU times, but which
 * virtual threads are parked, or wait for a monitor's notification, on their carriers.
 *
 * @param virtualThreads numbers of the virtual threads that stay, as dumps print them, ascending
 * @param free carriers of the same scheduler in the last dump that another could have
 * @param carriers how many the scheduler has; empty if unknown
 * @param length from the first of the dumps to the last, the shortest of those that stay
 * @param sources the dumps
 */
public record HeldCarriers(
    List<Long> virtualThreads,
    int free,
    OptionalInt carriers,
    Duration length,
    List<Source> sources) {

  /** No call that one waits for pins a carrier for so long unnoticed. */
  private static final Duration LEAST = Duration.ofSeconds(1);

  /** CPU load is read each second: some readings. */
  private static final Duration SOME_READINGS = Duration.ofSeconds(5);

  /** {@code ForkJoinPool-1-worker-3}: the scheduler's threads are named like any such pool's. */
  private static final String WORKER = "-worker-";

  /** Innermost frame of a carrier's own stack while a virtual thread is on it. */
  private static final String RUNS_VIRTUAL_THREAD = "jdk.internal.vm.Continuation.run";

  /** What stands on a carrier, and since which dump. */
  private record Since(ThreadState carrier, ThreadSnapshot dump) {}

  /** Of the incident's dumps; absent if no carrier is kept in the last of them. */
  public static Optional<HeldCarriers> of(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    return dumps.isEmpty() ? Optional.empty() : of(incident, standing(dumps), dumps);
  }

  /**
   * Whether the last dump of the incident may show what no event records: a virtual thread on each
   * carrier, and nothing of whether they got on.
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
   * The last dump of the incident, if it has a virtual thread on each carrier although the JVM
   * hardly computed in the seconds before: that all of them are met at work then is unlikely, but
   * one dump may do so. Two carriers that each compute for a tenth of the time are both found at
   * work in one of a hundred dumps.
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
   * How many carriers the only dump of the incident has, if virtual threads wait on all of them:
   * these compute nothing, so that one dump shows it, and no carrier is left for the thread that
   * they wait for. {@code parkOnCarrierThread} waits so, and on JDK 21 to 23 {@code Object.wait}
   * (JEP 444, until JEP 491). For the latter the JVM adds carriers, up to 256: where it has, one is
   * free.
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

  /** How many threads the schedulers have, carriers or not. */
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

  /** The last dump of the incident that shows virtual threads on carriers; there has to be one. */
  public static ThreadSnapshot lastDump(Incident incident) {
    List<ThreadSnapshot> dumps = dumps(incident);
    return dumps.get(dumps.size() - 1);
  }

  /** Those that show virtual threads on carriers. */
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

  /** By the number of the virtual thread. */
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

  /** Whether no carrier is left for any other virtual thread; not if it is not known how many. */
  public boolean isAll() {
    return free == 0 && carriers.isPresent() && virtualThreads.size() >= carriers.getAsInt();
  }

  /**
   * A virtual thread that is parked and keeps its carrier needs no CPU time to be known as still.
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
