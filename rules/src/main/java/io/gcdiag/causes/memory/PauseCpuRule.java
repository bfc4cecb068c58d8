package io.gcdiag.causes.memory;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.threads.Effect;
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
final class PauseCpuRule implements Rule {

  private static final String EXPERIMENT =
      "record jdk.CPULoad and jdk.ContainerCPUThrottling, or look at /proc/stat (steal) and"
          + " cpu.stat (nr_throttled) of the container during the incident";

  @Override
  public List<Finding> examine(Case incident) {
    CollectorTimes times = incident.collectorTimes(incident.window());
    double waiting = StoppedTimeSplit.of(incident).share(Hypothesis.HOST_CPU_CONTENTION);
    boolean kept =
        CollectorTimes.areAllThereIs(incident)
            ? times.starved() > 0
            : waiting >= Policy.NEGLIGIBLE && times.pauses() > 0;
    List<Finding> findings = new ArrayList<>();
    if (kept
        && CollectorTimes.areAllThereIs(incident)
        && CollectorStarvation.comesAndGoes(incident)) {
      findings.add(nowAndThen(incident, times));
    } else if (kept) {
      findings.add(kept(incident, times, waiting));
    }
    if (times.kernel() > 0) {
      findings.add(kernel(times));
    }
    return findings;
  }

  /** Something kept the threads from running: other processes, or a log alone does not say what. */
  private Finding kept(Case incident, CollectorTimes times, double share) {
    String cores =
        "the GC threads got "
            + Numbers.threeDigits(times.cores())
            + " cores on average during pauses";
    boolean unknown = CollectorTimes.areAllThereIs(incident);
    String why =
        unknown
            ? ", less than a single thread can use: other processes, a CPU quota or swapped-out"
                + " memory kept them from running"
            : " while other processes used the CPU: "
                + new Ratio(share)
                + " of the growth in pause time is waiting for CPU";
    FindingBuilder finding =
        measured(times, cores + why)
            .figure(
                "cores that GC threads get in a pause",
                incident
                    .baseline()
                    .map(incident::collectorTimes)
                    .filter(before -> before.pauses() > 0)
                    .map(before -> Numbers.threeDigits(before.cores())),
                Numbers.threeDigits(times.cores()))
            .sum(
                "cores in pauses = CPU time / elapsed time = %s / %s"
                    .formatted(
                        Durations.format(times.cpuSeconds()),
                        Durations.format(times.realSeconds())))
            .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED, share);
    return unknown
        ? finding
            .explains(
                Hypothesis.CPU_THROTTLING,
                Effect.STOPPED,
                StoppedTimeSplit.of(incident).share(Hypothesis.CPU_THROTTLING))
            .supports(Hypothesis.SWAPPING)
            .inseparable(Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, EXPERIMENT)
            .build()
        : finding.brief(new Ratio(share) + " of the pause growth is waiting for CPU").build();
  }

  /** The JVM waited, and not the collector: no setting of it helps. */
  private Finding nowAndThen(Case incident, CollectorTimes times) {
    boolean swap = mayBeSwapped(incident.timeline().jvm());
    FindingBuilder finding =
        measured(
                times,
                ("in %s of %s (%s of %s) the GC threads ran for %s only: the JVM waited, not the"
                        + " collector; not separable: other processes, a CPU quota, %sa slow disk"
                        + " that the log (-Xlog:async) or the JVM's counters"
                        + " (-XX:+PerfDisableSharedMem) are written to")
                    .formatted(
                        Numbers.count(times.waits().pauses()),
                        Numbers.counted(times.pauses(), "pause"),
                        Durations.format(times.waits().realSeconds()),
                        Durations.format(times.realSeconds()),
                        Durations.format(times.waits().cpuSeconds()),
                        swap ? "swapped-out memory, " : ""))
            .figure(
                "time in pauses without a running GC thread",
                incident,
                window ->
                    Durations.format(
                        CollectorTimes.of(incident.timeline(), window).waits().seconds()))
            .value("waitedSeconds", times.waits().seconds())
            .supports(Hypothesis.HOST_CPU_CONTENTION)
            .supports(Hypothesis.CPU_THROTTLING);
    return swap ? finding.supports(Hypothesis.SWAPPING).build() : finding.build();
  }

  /** A log of JDK 8 begins with the machine's swap space: {@code swap 0k(0k free)} is none. */
  private static boolean mayBeSwapped(JvmFacts jvm) {
    return jvm.flag("Memory")
        .map(Flag::value)
        .filter(memory -> memory.contains("swap 0k"))
        .isEmpty();
  }

  private Finding kernel(CollectorTimes times) {
    return measured(
            times,
            new Ratio(times.kernel())
                + " of the CPU time of pauses is kernel time: the collector waits for pages that"
                + " are swapped in, touched for the first time (see -XX:+AlwaysPreTouch) or merged"
                + " into huge pages")
        .figure("kernel share of the CPU time of GC pauses", new Ratio(times.kernel()).toString())
        .supports(Hypothesis.SWAPPING)
        .build();
  }

  private FindingBuilder measured(CollectorTimes times, String statement) {
    return Finding.of(id(), statement)
        .value("coresInPauses", times.cores())
        .value("userSeconds", times.userSeconds())
        .value("systemSeconds", times.cpuSeconds() - times.userSeconds())
        .value("elapsedSeconds", times.realSeconds())
        .from(new Source(times.file(), "CPU time of collections"));
  }
}
