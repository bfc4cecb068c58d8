package io.gcdiag.accounts.cores;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.cores.DumpedCpu;
import io.gcdiag.measures.effects.CoreQueue;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;

/**
 * Asks thread dumps how many requests run at a time, and how much of the cores the JVM's threads
 * used from one dump to the next, where nothing says how full the cores are. Few cores used are no
 * shortage of them; more requests that run than cores are a lead, and with the service's threads
 * using nearly all of the cores a queue for them.
 */
@Judges(value = Hypothesis.CPU_SATURATION, needs = Signal.THREAD_DUMPS)
public final class ThreadsOnCoresRule implements Rule {

  /**
   * From this use of the cores on, by the service alone, the collector, compilers and the system
   * leave none to speak of.
   */
  private static final double FULL = 0.85;

  @Override
  public List<Finding> examine(Case incident) {
    int cores = incident.timeline().jvm().cpus().orElse(0);
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean recorded = incident.timeline().sees(Signal.CPU_LOAD);
    if (recorded || cores == 0) {
      return List.of();
    }
    Optional<DumpedCpu> used = DumpedCpu.between(dumps);
    List<ThreadSnapshot> crowded =
        dumps.stream().filter(dump -> dump.runningRequests() > cores).toList();
    boolean often = crowded.size() >= Policy.FEWEST_DUMPS && 2 * crowded.size() >= dumps.size();
    boolean crowd =
        dumps.size() == 1
            && crowded.stream()
                .anyMatch(d -> d.runningRequests() >= CoreQueue.MOST_COMPETING * cores);
    if (often || crowd) {
      return List.of(lead(incident, cores, dumps, crowded, used));
    }
    return used
        .filter(cpu -> cpu.atMostCores() < Policy.CLEAR_ROOM * cores)
        .map(cpu -> room(incident, cores, dumps, cpu))
        .stream()
        .toList();
  }

  private Finding lead(
      Incident incident,
      int cores,
      List<ThreadSnapshot> dumps,
      List<ThreadSnapshot> crowded,
      Optional<DumpedCpu> used) {
    long most = crowded.stream().mapToLong(ThreadSnapshot::runningRequests).max().orElseThrow();
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
                    + Numbers.counted(dumps.size(), "dump")
                    + used.map(
                            cpu ->
                                "; Java threads used at least %s cores between dumps%s"
                                    .formatted(
                                        Numbers.threeDigits(cpu.serviceCores()), collector(cpu)))
                        .orElse(""))
            .value("running", most)
            .value("cores", cores)
            .from(crowded.stream().map(ThreadSnapshot::source).toList());
    used.ifPresent(cpu -> finding.value("coresUsed", cpu.serviceCores()));
    if (used.isPresent() && used.get().atMostCores() < Policy.CLEAR_ROOM * cores) {
      finding.accompanies(Hypothesis.CPU_SATURATION);
    } else if (used.isPresent()
        && used.get().serviceCores() >= FULL * cores
        && incident.timeline().mainRequestStats().isEmpty()) {
      // A load test says itself whether requests take too long for it.
      finding.warns(Hypothesis.CPU_SATURATION);
    } else {
      finding.supports(Hypothesis.CPU_SATURATION);
    }
    return finding.build();
  }

  private Finding room(Incident incident, int cores, List<ThreadSnapshot> dumps, DumpedCpu used) {
    FindingBuilder finding =
        Finding.of(
                id(),
                "all threads together used %s of %s cores between dumps (%s)%s"
                    .formatted(
                        Numbers.threeDigits(used.atMostCores()),
                        cores,
                        Durations.format(used.covered()),
                        collector(used)))
            .value("coresUsed", used.atMostCores())
            .value("cores", cores)
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    boolean most =
        Durations.seconds(used.covered()) >= Policy.MAJORITY * incident.window().seconds();
    return (most
            ? finding.refutes(Hypothesis.CPU_SATURATION)
            : finding.weakens(Hypothesis.CPU_SATURATION))
        .build();
  }

  private static String collector(DumpedCpu used) {
    return used.collectorCores() < Policy.LEAST_THREADS_FELT
        ? ""
        : ", the collector " + Numbers.threeDigits(used.collectorCores());
  }
}
