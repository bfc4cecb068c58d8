package io.gcdiag.causes.cores;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.jvm.DumpedCpu;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;

/**
 * CPU use from thread dumps, if no CPU load is recorded: how many requests are running in a dump,
 * and how much CPU time the JVM's threads used between dumps. Low CPU use excludes a shortage of
 * CPU. More running requests than cores are a lead. If the service's threads also use nearly all
 * cores, requests wait for CPU.
 */
final class CoresInDumps {

  /**
   * At this CPU utilisation by the service alone, the collector, the compilers and the system use
   * the rest.
   */
  private static final double FULL = 0.85;

  private CoresInDumps() {}

  static Optional<Finding> of(String rule, Case incident) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    if (cores == 0 || incident.timeline().sees(Signal.CPU_LOAD)) {
      return Optional.empty();
    }
    Optional<DumpedCpu> used = DumpedCpu.between(dumps);
    List<ThreadSnapshot> crowded =
        dumps.stream().filter(dump -> dump.runningRequests() > cores).toList();
    boolean crowd =
        dumps.size() == 1
            && crowded.stream()
                .anyMatch(d -> d.runningRequests() >= CoreQueue.MOST_COMPETING * cores);
    if (DumpTimes.areOften(crowded.size(), dumps) || crowd) {
      return Optional.of(lead(rule, incident, cores, dumps, used));
    }
    return used.filter(cpu -> cpu.atMostCores() < Policy.CLEAR_ROOM * cores)
        .map(cpu -> room(rule, incident, cores, dumps, cpu));
  }

  private static Finding lead(
      String rule, Case incident, int cores, List<ThreadSnapshot> dumps, Optional<DumpedCpu> used) {
    List<ThreadSnapshot> crowded =
        dumps.stream().filter(dump -> dump.runningRequests() > cores).toList();
    long most = crowded.stream().mapToLong(ThreadSnapshot::runningRequests).max().orElseThrow();
    FindingBuilder finding =
        Finding.of(
                rule,
                "up to %s requests run at a time, more than there are cores (%s) in %s of %s%s"
                    .formatted(
                        Numbers.count(most),
                        cores,
                        crowded.size(),
                        Numbers.counted(dumps.size(), "dump"),
                        used.map(
                                cpu ->
                                    "; Java threads used at least %s cores between dumps%s"
                                        .formatted(
                                            Numbers.threeDigits(cpu.serviceCores()),
                                            collector(cpu)))
                            .orElse("")))
            .value("running", most)
            .value("cores", cores)
            .value("coresUsed", Numbers.of(used, DumpedCpu::serviceCores))
            .from(crowded.stream().map(ThreadSnapshot::source).toList());
    if (used.filter(cpu -> cpu.atMostCores() < Policy.CLEAR_ROOM * cores).isPresent()) {
      return finding.accompanies(Hypothesis.CPU_SATURATION).build();
    }
    // A load test shows directly whether requests take too long.
    boolean full = used.filter(cpu -> cpu.serviceCores() >= FULL * cores).isPresent();
    return finding
        .supports(
            Hypothesis.CPU_SATURATION, full && incident.timeline().mainRequestStats().isEmpty())
        .build();
  }

  private static Finding room(
      String rule, Case incident, int cores, List<ThreadSnapshot> dumps, DumpedCpu used) {
    boolean most =
        Durations.seconds(used.covered()) >= Policy.MAJORITY * incident.window().seconds();
    return Finding.of(
            rule,
            "all threads together used %s of %s cores between dumps (%s)%s"
                .formatted(
                    Numbers.threeDigits(used.atMostCores()),
                    cores,
                    Durations.format(used.covered()),
                    collector(used)))
        .value("coresUsed", used.atMostCores())
        .value("cores", cores)
        .from(dumps.stream().map(ThreadSnapshot::source).toList())
        .contradicts(Hypothesis.CPU_SATURATION, most)
        .build();
  }

  private static String collector(DumpedCpu used) {
    return used.collectorCores() < Policy.LEAST_THREADS_FELT
        ? ""
        : ", the collector " + Numbers.threeDigits(used.collectorCores());
  }
}
