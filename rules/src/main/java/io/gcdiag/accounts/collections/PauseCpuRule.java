package io.gcdiag.accounts.collections;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.pauses.GcCpu;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.source.Source;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.cores.CollectorTimes;
import io.gcdiag.measures.cores.PauseCpu;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;

/**
 * Asks what the CPU times of the pauses say: whether the GC threads got the cores, by the load of
 * the machine or, where that is not known, by themselves, and whether the kernel did most of the
 * work.
 */
@Judges(
    value = {Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, Hypothesis.SWAPPING},
    needs = Signal.GC_PAUSES)
public final class PauseCpuRule implements Rule {

  private static final String EXPERIMENT =
      "record jdk.CPULoad and jdk.ContainerCPUThrottling, or look at /proc/stat (steal) and"
          + " cpu.stat (nr_throttled) of the container during the incident";

  @Override
  public List<Finding> examine(Case incident) {
    PauseCpu cpu = incident.pauseCpu();
    List<Finding> findings = new ArrayList<>();
    double waiting = StoppedTimeSplit.of(incident).share(Hypothesis.HOST_CPU_CONTENTION);
    if (!PauseCpu.isAllThereIs(incident) && waiting >= Policy.NEGLIGIBLE) {
      findings.addAll(besideOthers(incident, waiting));
    }
    if (cpu.starved() > 0 && PauseCpu.isAllThereIs(incident)) {
      findings.add(starved(incident, cpu));
    }
    if (cpu.kernel() > 0) {
      findings.add(kernel(cpu));
    }
    return findings;
  }

  /** Other processes had the cores that the collector needs. */
  private List<Finding> besideOthers(Case incident, double share) {
    CollectorTimes times = incident.collectorTimes(incident.window());
    List<GcCpu> pauses = incident.timeline().gcCpu(incident.window());
    if (pauses.isEmpty()) {
      return List.of();
    }
    return List.of(
        Finding.of(
                id(),
                ("the GC threads got %s cores on average during pauses while other processes"
                        + " used the CPU: %s of the growth in pause time is waiting for CPU")
                    .formatted(cores(times), new Ratio(share)))
            .brief(new Ratio(share) + " of the pause growth is waiting for CPU")
            .figure(
                "cores that GC threads get in a pause",
                incident
                    .baseline()
                    .map(incident::collectorTimes)
                    .filter(before -> before.pauses() > 0)
                    .map(PauseCpuRule::cores),
                cores(times))
            .sum(
                "cores in pauses = CPU time / elapsed time = %s / %s"
                    .formatted(
                        Durations.format(times.cpuSeconds()),
                        Durations.format(times.realSeconds())))
            .value("coresInPauses", times.cpuSeconds() / times.realSeconds())
            .value("share", share)
            .from(new Source(pauses.get(0).file(), "CPU time of collections"))
            .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED, share)
            .build());
  }

  private static String cores(CollectorTimes times) {
    return Numbers.threeDigits(times.cpuSeconds() / times.realSeconds());
  }

  /** Something kept the threads from running; a log alone does not say what. */
  private Finding starved(Case incident, PauseCpu cpu) {
    StoppedTimeSplit split = StoppedTimeSplit.of(incident);
    return measured(
            cpu,
            "the GC threads got "
                + Numbers.threeDigits(cpu.cores())
                + " cores on average during pauses, less than a single thread can use: other"
                + " processes, a CPU quota or swapped-out memory kept them from running")
        .figure("cores that GC threads get in a pause", Numbers.threeDigits(cpu.cores()))
        .sum(
            "cores in pauses = (user + system) / elapsed time = %s s / %s s"
                .formatted(
                    Numbers.threeDigits(cpu.user() + cpu.system()),
                    Numbers.threeDigits(cpu.real())))
        .explains(
            Hypothesis.HOST_CPU_CONTENTION,
            Effect.STOPPED,
            split.share(Hypothesis.HOST_CPU_CONTENTION))
        .explains(Hypothesis.CPU_THROTTLING, Effect.STOPPED, split.share(Hypothesis.CPU_THROTTLING))
        .supports(Hypothesis.SWAPPING)
        .inseparable(Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, EXPERIMENT)
        .build();
  }

  private Finding kernel(PauseCpu cpu) {
    return measured(
            cpu,
            new Ratio(cpu.kernel())
                + " of the CPU time of pauses is kernel time: the collector waits for pages that"
                + " are swapped in, touched for the first time (see -XX:+AlwaysPreTouch) or merged"
                + " into huge pages")
        .figure("kernel share of the CPU time of GC pauses", new Ratio(cpu.kernel()).toString())
        .supports(Hypothesis.SWAPPING)
        .build();
  }

  private FindingBuilder measured(PauseCpu cpu, String statement) {
    return Finding.of(id(), statement)
        .value("coresInPauses", cpu.cores())
        .value("userSeconds", cpu.user())
        .value("systemSeconds", cpu.system())
        .value("elapsedSeconds", cpu.real())
        .from(new Source(cpu.file(), "CPU time of collections"));
  }
}
