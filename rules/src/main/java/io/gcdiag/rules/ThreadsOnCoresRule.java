package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Standing;
import io.gcdiag.evidence.ThreadActivity;
import io.gcdiag.evidence.ThreadSnapshot;
import io.gcdiag.evidence.ThreadState;
import io.gcdiag.ledger.DumpTimes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Asks thread dumps how many requests run at a time, and how much of the cores Java threads used
 * from one dump to the next, where nothing says how full the cores are. It is a lead: interpreted
 * code, exceptions and others on the machine make requests run for longer as well.
 */
public final class ThreadsOnCoresRule implements Rule {

  /** One dump may meet a moment in which many run by chance. */
  private static final int FEWEST_DUMPS = 2;

  /** Dumps are dated by the second: from here on a difference is good to a fifth. */
  private static final Duration SHORTEST = Duration.ofSeconds(5);

  /** Below this use of the cores there is room on them most of the time. */
  private static final double CLEAR_ROOM = 0.7;

  @Override
  public String id() {
    return "threads-on-cores";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.CPU_SATURATION);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> crowded = dumps.stream().filter(dump -> running(dump) > cores).toList();
    boolean recorded = incident.timeline().coverage().of(Signal.CPU_LOAD).recorded();
    return recorded
            || cores == 0
            || crowded.size() < FEWEST_DUMPS
            || 2 * crowded.size() < dumps.size()
        ? List.of()
        : List.of(lead(cores, dumps, crowded));
  }

  private Finding lead(int cores, List<ThreadSnapshot> dumps, List<ThreadSnapshot> crowded) {
    long most = crowded.stream().mapToLong(ThreadsOnCoresRule::running).max().orElseThrow();
    OptionalDouble used = coresUsed(dumps);
    FindingBuilder finding =
        Finding.of(
                id(),
                "up to "
                    + Numbers.count(most)
                    + " requests run at a time, more than there are cores ("
                    + cores
                    + ") in "
                    + crowded.size()
                    + " of "
                    + dumps.size()
                    + " dumps"
                    + (used.isPresent()
                        ? "; Java threads used "
                            + Numbers.threeDigits(used.getAsDouble())
                            + " cores from dump to dump, at least"
                        : ""))
            .value("running", most)
            .value("cores", cores)
            .from(crowded.stream().map(ThreadSnapshot::source).toList());
    used.ifPresent(share -> finding.value("coresUsed", share));
    boolean room = used.isPresent() && used.getAsDouble() < CLEAR_ROOM * cores;
    return room
        ? finding.accompanies(Hypothesis.CPU_SATURATION).build()
        : finding.supports(Hypothesis.CPU_SATURATION).build();
  }

  private static long running(ThreadSnapshot dump) {
    return dump.threads().stream()
        .filter(thread -> thread.requestThread() && thread.activity() == ThreadActivity.RUNNING)
        .count();
  }

  /** CPU time of the threads that stand in two dumps in a row, for the time between these. */
  private static OptionalDouble coresUsed(List<ThreadSnapshot> all) {
    List<ThreadSnapshot> dumps = all.stream().filter(dump -> dump.at().isPresent()).toList();
    double seconds = 0;
    double used = 0;
    for (int i = 1; i < dumps.size(); i++) {
      Instant from = dumps.get(i - 1).at().orElseThrow();
      Duration length = Duration.between(from, dumps.get(i).at().orElseThrow());
      Map<String, Long> before = cpu(dumps.get(i - 1));
      if (length.compareTo(SHORTEST) >= 0 && !before.isEmpty()) {
        seconds += Durations.seconds(length);
        for (Map.Entry<String, Long> now : cpu(dumps.get(i)).entrySet()) {
          long more = now.getValue() - before.getOrDefault(now.getKey(), now.getValue());
          used += Durations.seconds(Duration.ofNanos(Math.max(0, more)));
        }
      }
    }
    return seconds > 0 ? OptionalDouble.of(used / seconds) : OptionalDouble.empty();
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
