package io.gcdiag.ledger;

import io.gcdiag.evidence.DumpTotals;
import io.gcdiag.evidence.Standing;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.units.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Who used the cores from thread dump to thread dump, in cores on average: by the CPU time that
 * HotSpot prints of each thread since JDK 11. What threads used that ended before the next dump is
 * in none of the figures.
 *
 * @param service Java threads that stand in two dumps in a row, without compilers
 * @param newcomers all that was ever used by threads that stand in the later dump alone: they began
 *     since, or have another name now
 * @param compilers the JIT compilers' threads
 * @param collector the JVM's threads that run no Java code, most of which collect; 0 if not known
 */
public record DumpedCpu(double service, double newcomers, double compilers, double collector) {

  /** Dumps are dated by the second: from here on a difference is good to a fifth. */
  private static final Duration SHORTEST_BY_DATE = Duration.ofSeconds(5);

  /** The JVM's age is told to the hundredth of a second: here it is good to a hundredth. */
  private static final Duration SHORTEST_BY_AGE = Duration.ofSeconds(1);

  /** As in {@code C2 CompilerThread0}. */
  private static final String COMPILER = "CompilerThread";

  /**
   * Measures dumps in the order of their times.
   *
   * @return empty without two dumps in a row that tell CPU times, some seconds apart
   */
  public static Optional<DumpedCpu> between(List<ThreadSnapshot> all) {
    List<ThreadSnapshot> dumps = all.stream().filter(dump -> dump.at().isPresent()).toList();
    DumpedCpu sum = new DumpedCpu(0, 0, 0, 0);
    double seconds = 0;
    for (int i = 1; i < dumps.size(); i++) {
      ThreadSnapshot before = dumps.get(i - 1);
      ThreadSnapshot after = dumps.get(i);
      Optional<Duration> length = length(before, after);
      if (length.isPresent() && !cpu(before).isEmpty()) {
        seconds += Durations.seconds(length.get());
        sum = sum.plus(used(before, after));
      }
    }
    double length = seconds;
    return seconds > 0
        ? Optional.of(
            new DumpedCpu(
                sum.service / length,
                sum.newcomers / length,
                sum.compilers / length,
                sum.collector / length))
        : Optional.empty();
  }

  /** The most that the JVM's threads can have used, but for those that ended. */
  public double atMost() {
    return service + newcomers + compilers + collector;
  }

  private DumpedCpu plus(DumpedCpu other) {
    return new DumpedCpu(
        service + other.service,
        newcomers + other.newcomers,
        compilers + other.compilers,
        collector + other.collector);
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

  /** In seconds. */
  private static DumpedCpu used(ThreadSnapshot before, ThreadSnapshot after) {
    Map<String, Long> known = cpu(before);
    double service = 0;
    double newcomers = 0;
    double compilers = 0;
    for (Map.Entry<String, Long> now : cpu(after).entrySet()) {
      long more = Math.max(0, now.getValue() - known.getOrDefault(now.getKey(), 0L));
      double seconds = Durations.seconds(Duration.ofNanos(more));
      if (now.getKey().contains(COMPILER)) {
        // Compilers come and go with the work, under the same few names.
        compilers += seconds;
      } else if (known.containsKey(now.getKey())) {
        service += seconds;
      } else {
        newcomers += seconds;
      }
    }
    Duration own = ownCpu(after).minus(ownCpu(before));
    double collector = own.isNegative() ? 0 : Durations.seconds(own);
    return new DumpedCpu(service, newcomers, compilers, collector);
  }

  private static Duration ownCpu(ThreadSnapshot dump) {
    return dump.totals().map(DumpTotals::ownCpu).orElse(Duration.ZERO);
  }

  private static Map<String, Long> cpu(ThreadSnapshot dump) {
    Map<String, Long> byName = new HashMap<>();
    for (ThreadState thread : dump.threads()) {
      if (thread.standing().cpuNanos() != Standing.UNKNOWN_CPU) {
        byName.merge(thread.name(), thread.standing().cpuNanos(), Math::addExact);
      }
    }
    return byName;
  }
}
