package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.DumpTotals;
import io.gcdiag.evidence.threads.ThreadPosition;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.threads.ThreadState;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * CPU use from thread dump to thread dump, in cores on average, from the CPU time of each thread
 * that HotSpot prints since JDK 11. Threads that ended before the next dump are in none of the
 * figures.
 *
 * @param serviceCores Java threads that are in two consecutive dumps, without compilers
 * @param newcomersCores total CPU time of threads that are only in the later dump: they were
 *     started in between, or were renamed
 * @param compilersCores the JIT compilers' threads
 * @param collectorCores the JVM's threads that run no Java code, mostly GC threads; 0 if unknown
 * @param covered the time between the dumps
 */
public record DumpedCpu(
    double serviceCores,
    double newcomersCores,
    double compilersCores,
    double collectorCores,
    Duration covered) {

  /** Dumps have timestamps in whole seconds; from here on a difference is accurate to a fifth. */
  private static final Duration SHORTEST_BY_DATE = Duration.ofSeconds(5);

  /** The JVM's age is printed in hundredths of a second; here it is accurate to a hundredth. */
  private static final Duration SHORTEST_BY_AGE = Duration.ofSeconds(1);

  /** As in {@code C2 CompilerThread0}. */
  private static final String COMPILER = "CompilerThread";

  /**
   * For dumps in order of time.
   *
   * @return empty without two consecutive dumps with CPU times that are some seconds apart
   */
  public static Optional<DumpedCpu> between(List<ThreadSnapshot> all) {
    List<ThreadSnapshot> dumps = all.stream().filter(dump -> dump.at().isPresent()).toList();
    Used used = new Used();
    for (int i = 1; i < dumps.size(); i++) {
      used.add(dumps.get(i - 1), dumps.get(i));
    }
    return used.perSecond();
  }

  /** What the threads of one dump used since the JVM's start; empty if it does not say so. */
  public static Optional<DumpedCpu> inLife(ThreadSnapshot dump) {
    Used used = new Used();
    used.since(dump);
    return used.perSecond();
  }

  /**
   * Whether the CPUs became full by the recorded CPU load; without it, whether the JVM's threads by
   * dumps leave hardly any CPU free.
   */
  public static boolean areCoresInUse(Incident incident, List<ThreadSnapshot> dumps) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    return incident.timeline().sees(Signal.CPU_LOAD)
        ? MachineLoad.becameFull(incident)
        : between(dumps)
            .filter(used -> cores > 0 && used.atMostCores() >= Policy.CLEAR_ROOM * cores)
            .isPresent();
  }

  /**
   * A thread that computes without rest.
   *
   * @param thread the thread, in the last dump
   * @param cores what it used on average; 1 at most, but for the accuracy of the dumps' times
   */
  public record Computing(ThreadState thread, double cores) {}

  /**
   * Threads that used nearly a whole core from the first dump to the last, most first: the rest is
   * what dumps, collections and other processes take. A thread that rests between tasks uses less,
   * however many it has. Names that occur twice are left out.
   */
  public static List<Computing> withoutRest(List<ThreadSnapshot> all) {
    return each(all).stream()
        .filter(one -> one.cores() >= Policy.FULL && !one.thread().name().contains(COMPILER))
        .sorted(Comparator.comparingDouble(Computing::cores).reversed())
        .toList();
  }

  /** What each thread used from the first dump to the last, in the order of the last. */
  public static List<Computing> each(List<ThreadSnapshot> all) {
    List<ThreadSnapshot> dumps = all.stream().filter(dump -> dump.at().isPresent()).toList();
    if (dumps.size() < 2) {
      return List.of();
    }
    ThreadSnapshot first = dumps.get(0);
    ThreadSnapshot last = dumps.get(dumps.size() - 1);
    Map<String, Duration> before = cpu(first);
    Optional<Double> seconds = length(first, last).map(Durations::seconds);
    Map<String, Long> named =
        Stream.of(first, last)
            .flatMap(dump -> dump.threads().stream())
            .collect(Collectors.groupingBy(ThreadState::name, Collectors.counting()));
    return last.threads().stream()
        .filter(thread -> seconds.isPresent() && before.containsKey(thread.name()))
        .filter(thread -> named.get(thread.name()) == 2)
        .map(
            thread ->
                new Computing(
                    thread,
                    Durations.seconds(
                            Duration.ofNanos(thread.standing().cpuNanos())
                                .minus(before.get(thread.name())))
                        / seconds.get()))
        .toList();
  }

  /** Upper bound of what the JVM's threads used, except for threads that ended. */
  public double atMostCores() {
    return serviceCores + newcomersCores + compilersCores + collectorCores;
  }

  /** The same as CPU time, in seconds. */
  public double atMostSeconds() {
    return atMostCores() * Durations.seconds(covered);
  }

  /** Sums of CPU time between dumps. */
  private static final class Used {
    private Duration service = Duration.ZERO;
    private Duration newcomers = Duration.ZERO;
    private Duration compilers = Duration.ZERO;
    private Duration collector = Duration.ZERO;
    private Duration covered = Duration.ZERO;

    void add(ThreadSnapshot before, ThreadSnapshot after) {
      Map<String, Duration> known = cpu(before);
      Optional<Duration> length = length(before, after);
      if (length.isEmpty() || known.isEmpty()) {
        return;
      }
      covered = covered.plus(length.get());
      cpu(after)
          .forEach(
              (name, now) -> {
                Duration more = atLeastNone(now.minus(known.getOrDefault(name, Duration.ZERO)));
                if (name.contains(COMPILER)) {
                  // Compiler threads are started and stopped with the work, under the same few
                  // names.
                  compilers = compilers.plus(more);
                } else if (known.containsKey(name)) {
                  service = service.plus(more);
                } else {
                  newcomers = newcomers.plus(more);
                }
              });
      collector = collector.plus(atLeastNone(ownCpu(after).minus(ownCpu(before))));
    }

    void since(ThreadSnapshot dump) {
      covered = dump.totals().map(DumpTotals::upFor).orElse(Duration.ZERO);
      service = cpu(dump).values().stream().reduce(Duration.ZERO, Duration::plus);
      collector = ownCpu(dump);
    }

    Optional<DumpedCpu> perSecond() {
      return covered.isZero()
          ? Optional.empty()
          : Optional.of(
              new DumpedCpu(
                  cores(service), cores(newcomers), cores(compilers), cores(collector), covered));
    }

    private double cores(Duration cpu) {
      return Durations.seconds(cpu) / Durations.seconds(covered);
    }
  }

  private static Duration atLeastNone(Duration duration) {
    return duration.isNegative() ? Duration.ZERO : duration;
  }

  private static Optional<Duration> length(ThreadSnapshot before, ThreadSnapshot after) {
    boolean aged = before.totals().isPresent() && after.totals().isPresent();
    Duration length =
        aged
            ? after.totals().get().upFor().minus(before.totals().get().upFor())
            : Duration.between(at(before), at(after));
    return Optional.of(length)
        .filter(known -> known.compareTo(aged ? SHORTEST_BY_AGE : SHORTEST_BY_DATE) >= 0);
  }

  private static Instant at(ThreadSnapshot dump) {
    return dump.at().orElseThrow();
  }

  private static Duration ownCpu(ThreadSnapshot dump) {
    return dump.totals().map(DumpTotals::ownCpu).orElse(Duration.ZERO);
  }

  private static Map<String, Duration> cpu(ThreadSnapshot dump) {
    Map<String, Duration> byName = new HashMap<>();
    for (ThreadState thread : dump.threads()) {
      if (thread.standing().cpuNanos() != ThreadPosition.UNKNOWN_CPU) {
        Duration used = Duration.ofNanos(thread.standing().cpuNanos());
        byName.merge(thread.name(), used, Duration::plus);
      }
    }
    return byName;
  }
}
