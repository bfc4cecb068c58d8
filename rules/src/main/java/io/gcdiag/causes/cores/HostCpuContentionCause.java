package io.gcdiag.causes.cores;

import io.gcdiag.books.Cause;
import io.gcdiag.books.Edit;
import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Place.Part;
import io.gcdiag.books.Place.Role;
import io.gcdiag.books.PlaceParts;
import io.gcdiag.books.Rule;
import io.gcdiag.books.SuspectContext;
import io.gcdiag.causes.memory.StoppedTimeSplit;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.Flag;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Other processes take the CPU. */
public final class HostCpuContentionCause extends Cause {

  public HostCpuContentionCause() {
    super(
        Hypothesis.HOST_CPU_CONTENTION,
        "Other processes take the CPU",
        "find the other process, or move the service",
        List.of(new PauseCpuRule()),
        Trait.PART_OF_NORMAL_WORK);
    askedFirst(6);
  }

  @Override
  public void place(PlaceParts found) {
    CpuUse.of(found.timeline(), found.window())
        .ifPresent(
            use ->
                found.add(
                    new Part(
                        Role.MACHINE,
                        "other programs on the machine",
                        new Ratio(use.others()) + " of its CPUs",
                        MachineLoad.source(found.timeline()))));
  }

  @Override
  public List<Edit> edits(SuspectContext suspect) {
    return suspect
        .at(Role.MACHINE)
        .map(
            part ->
                suspect.infrastructure(
                    part.name(),
                    "stop the one that uses the CPU (pidstat 1 shows it), or move it or the"
                        + " service to another machine"))
        .orElse(List.of());
  }

  /**
   * Asks what the CPU times of the pauses say: whether the GC threads got the cores, by the load of
   * the machine or, where that is not known, by themselves, and whether the kernel did most of the
   * work.
   */
  @Judges(
      value = {Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING, Hypothesis.SWAPPING},
      needs = Signal.GC_PAUSES)
  static final class PauseCpuRule implements Rule {

    private static final List<Hypothesis> CPU =
        List.of(Hypothesis.HOST_CPU_CONTENTION, Hypothesis.CPU_THROTTLING);

    private static final String DISK =
        "a slow disk that the log (-Xlog:async) or the JVM's counters (-XX:+PerfDisableSharedMem)"
            + " are written to";

    private static final String NO_DISK =
        "write the GC log to tmpfs (JDK 17: -Xlog:async) and add -XX:+PerfDisableSharedMem";

    private static final Pattern SWAP = Pattern.compile("swap (\\d{1,15})k\\((\\d{1,15})k free\\)");

    private static final String LOOK =
        "see what the JVM waits for: nr_throttled of cpu.stat (a quota), st, si and so of vmstat 1"
            + " (neighbours, swapping)";

    @Override
    public List<Finding> examine(MeasuredIncident incident) {
      CollectorTimes times = incident.collectorTimes(incident.window());
      double waiting = StoppedTimeSplit.of(incident).share(Hypothesis.HOST_CPU_CONTENTION);
      boolean kept = isKeptWaiting(incident);
      List<Finding> findings = new ArrayList<>();
      if (kept && CollectorTimes.areAllThereIs(incident)) {
        findings.add(waited(incident, times));
      } else if (kept) {
        findings.add(kept(incident, times, waiting));
      }
      times
          .ofKernel(incident.timeline())
          .ifPresent(statement -> findings.add(kernel(incident, times, statement)));
      return findings;
    }

    /** Whether GC threads waited for CPU in pauses. */
    static boolean isKeptWaiting(MeasuredIncident incident) {
      CollectorTimes times = incident.collectorTimes(incident.window());
      return CollectorTimes.areAllThereIs(incident)
          ? times.starved() > 0
          : times.pauses() > 0
              && StoppedTimeSplit.of(incident).share(Hypothesis.HOST_CPU_CONTENTION)
                  >= Policy.NEGLIGIBLE;
    }

    /** Other processes kept the threads from running. */
    private Finding kept(MeasuredIncident incident, CollectorTimes times, double share) {
      return measured(
              times,
              "the GC threads got %s cores on average during pauses while other processes used the CPU: %s of the growth in pause time is waiting for CPU"
                  .formatted(Numbers.threeDigits(times.cores()), new Ratio(share)))
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
                      Durations.format(times.cpuSeconds()), Durations.format(times.realSeconds())))
          .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.STOPPED, share)
          .brief("GC threads got %s cores in pauses".formatted(Numbers.threeDigits(times.cores())))
          .build();
    }

    /**
     * The JVM waited, and not the collector: no setting of it helps. The log alone does not say for
     * what; but a disk stops a pause now and then, the others have their cores.
     */
    private Finding waited(MeasuredIncident incident, CollectorTimes times) {
      String others = others(incident.timeline());
      boolean all = times.waits().pauses() == 0;
      boolean some = times.onlySomeWait();
      boolean disk = some && inUse(incident.timeline()).isEmpty();
      String pauses =
          all
              ? "in %s (%s)"
                  .formatted(
                      Numbers.counted(times.pauses(), "pause"),
                      Durations.format(times.realSeconds()))
              : "in %s of %s (%s of %s)"
                  .formatted(
                      Numbers.count(times.waits().pauses()),
                      Numbers.counted(times.pauses(), "pause"),
                      Durations.format(times.waits().realSeconds()),
                      Durations.format(times.realSeconds()));
      FindingBuilder finding =
          measured(
                  times,
                  ("%s the GC threads ran for %s only%s: the JVM waited, not the collector; not"
                          + " separable: %s")
                      .formatted(
                          pauses,
                          Durations.format(all ? times.cpuSeconds() : times.waits().cpuSeconds()),
                          some
                              ? "; in the others they got %s cores"
                                  .formatted(Numbers.threeDigits(times.coresOfOthers()))
                              : "",
                          disk ? DISK + ", " + others : others + ", " + DISK))
              .figure(
                  "time in pauses without a running GC thread",
                  incident,
                  window ->
                      Durations.format(
                          CollectorTimes.of(incident.timeline(), window).waits().seconds()))
              .value("waitedSeconds", times.waits().seconds());
      List<Hypothesis> tie = new ArrayList<>(CPU);
      if (CollectorTimes.mayBeSwapped(incident.timeline())) {
        tie.add(Hypothesis.SWAPPING);
      }
      tie.forEach(
          cause ->
              finding.supports(cause).advises(cause, (disk ? NO_DISK + "; else " : "") + LOOK));
      return finding.build();
    }

    /** In the order of what is likely. */
    private static String others(Timeline timeline) {
      String inUse = inUse(timeline);
      String swapped = CollectorTimes.mayBeSwapped(timeline) ? ", swapped-out memory" + inUse : "";
      String others = "other processes, a CPU quota";
      return inUse.isEmpty() ? others + swapped : swapped.substring(2) + ", " + others;
    }

    /** What a log of JDK 8 says of swap space when the JVM started, if most of it was in use. */
    private static String inUse(Timeline timeline) {
      Matcher swap = SWAP.matcher(timeline.jvm().flag("Memory").map(Flag::value).orElse(""));
      if (!swap.find()) {
        return "";
      }
      Bytes all = Bytes.ofKibi(Long.parseLong(swap.group(1)));
      Bytes used = all.minusOrZero(Bytes.ofKibi(Long.parseLong(swap.group(2))));
      if (2 * used.value() < all.value() || used.equals(Bytes.ZERO)) {
        return "";
      }
      return " (at its start %s of %s of swap were in use)".formatted(used, all);
    }

    private Finding kernel(MeasuredIncident incident, CollectorTimes times, String statement) {
      boolean swap = CollectorTimes.mayBeSwapped(incident.timeline());
      FindingBuilder finding =
          measured(times, statement + (swap ? CollectorTimes.pages(true) : ""))
              .figure(
                  "kernel share of the CPU time of GC pauses",
                  new Ratio(times.kernel()).toString());
      return swap
          ? finding
              .supports(Hypothesis.SWAPPING)
              .advises(
                  Hypothesis.SWAPPING,
                  "see whether the machine swaps (si and so of vmstat 1); if not, -XX:+AlwaysPreTouch"
                      + " and no transparent huge pages")
              .build()
          : finding.refutes(Hypothesis.SWAPPING).build();
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
}
