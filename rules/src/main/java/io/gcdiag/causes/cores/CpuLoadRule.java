package io.gcdiag.causes.cores;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuSample.UndatedProfile;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.Throttling;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Asks whether the machine's CPUs are full, and if so whose work fills them: the service's, the
 * compilers', the collector's, or other processes'. Names the hot methods and threads. If no CPU
 * load is recorded it uses thread dumps ({@link CoresInDumps}) and the load average ({@link
 * LoadAverage}).
 */
// No signal is needed: either a recording has the CPU load, or dumps have CPU times.
@Judges({
  Hypothesis.CPU_SATURATION,
  Hypothesis.CPU_THROTTLING,
  Hypothesis.HOST_CPU_CONTENTION,
  Hypothesis.THREAD_LEAK,
  Hypothesis.EXCEPTION_STORM,
  Hypothesis.JIT_PRESSURE
})
public final class CpuLoadRule implements Rule {

  private static final String NOTHING = new Ratio(0).toString();

  /**
   * With two of its threads per core, one always waits. If half of the service's work is also due
   * to exceptions, removing either the other processes or the exceptions would end that wait. Each
   * then gets half of the other processes' share (Shapley value: L. S. Shapley, "A value for
   * n-person games", 1953).
   */
  private static final double THREADS_PER_CORE = 2;

  private static final String METERED =
      "by meters, shares are of the CPUs that the process may use, in a container of its quota:"
          + " container_cpu_cfs_throttled_periods_total shows whether that is what is used up";

  private static final String COUNT_THROTTLING =
      "read cpu.stat of the container twice in the incident (nr_throttled), or export"
          + " container_cpu_cfs_throttled_periods_total: if it does not grow, the CPUs are full";

  private static final String CONFINED =
      "shares are of the CPUs that the JVM may use; of other processes' CPU that counts which the"
          + " machine's other CPUs cannot hold";

  @Override
  public List<Finding> examine(MeasuredIncident incident) {
    Optional<CpuUse> use = CpuUse.of(incident.timeline(), incident.window());
    return use.isPresent()
        ? List.of(judge(incident, use.get()))
        : Stream.of(
                CoresInDumps.of(id(), incident),
                Pressure.of(id(), incident),
                MachineAlone.of(id(), incident).or(() -> LoadAverage.of(id(), incident)))
            .flatMap(Optional::stream)
            .toList();
  }

  private Finding judge(MeasuredIncident incident, CpuUse mean) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Optional<CrowdedCores> crowded = CrowdedCores.of(incident);
    CpuUse during = crowded.map(CrowdedCores::then).orElse(mean);
    Optional<CpuUse> baseline = incident.baseline().flatMap(w -> CpuUse.of(timeline, w));
    // Growth is not compared with a baseline whose CPUs were full, unless other processes used as
    // much CPU then: they are not what changed.
    Optional<CpuUse> before =
        crowded.isPresent()
            ? crowded
                .get()
                .otherwise()
                .or(() -> baseline.filter(b -> b.others() >= during.others()))
            : baseline;
    String whose = MachineLoad.part(timeline).map("CPU (%s)"::formatted).orElse("machine CPU");
    boolean room = MachineLoad.worstStretch(timeline, window).orElse(1) < Policy.CLEAR_ROOM;
    String free =
        crowded.isPresent() || during.most() >= Policy.FULL
            ? ""
            : room ? ": cores are free" : ": cores are free on average";
    FindingBuilder finding =
        Finding.of(
                id(),
                sentence(whose, crowded, before, incident.baseline().isPresent(), during)
                    + hottest(timeline, window, during))
            .brief(brief(crowded, before, during) + free)
            .brief(Hypothesis.HOST_CPU_CONTENTION, others(before, during))
            .figure(whose + busiest(crowded), before.map(CpuLoadRule::machine), machine(during))
            .value("machine", during.machine())
            .value("service", during.service())
            .value("compiler", during.compiler())
            .value("collector", during.collector())
            .value("others", during.others())
            .from(MachineLoad.source(timeline));
    boolean mostlyOthers = during.others() > during.service();
    finding.figure(
        "CPU of " + (mostlyOthers ? "other processes" : "the service") + busiest(crowded),
        before.map(use -> mostlyOthers ? others(use) : new Ratio(use.service()).toString()),
        mostlyOthers ? others(during) : new Ratio(during.service()).toString());
    HotCode.lines(timeline, window).forEach(finding::sum);
    timeline.samples(UndatedProfile.class).stream()
        .findFirst()
        .ifPresent(
            profile ->
                finding
                    .from(profile.source())
                    .advises(
                        Hypothesis.CPU_SATURATION,
                        profile.place() + ": do less here, where most samples of the profile are"));
    // In metrics a used-up quota of a container looks like full CPUs.
    boolean level = MachineLoad.isMetered(timeline) && incident.baseline().isEmpty();
    if (crowded.isPresent() && level) {
      finding.supports(mostlyOthers ? Hypothesis.HOST_CPU_CONTENTION : Hypothesis.CPU_SATURATION);
      if (Throttling.mayBeHidden(timeline) && !mostlyOthers) {
        finding.supports(Hypothesis.CPU_THROTTLING);
      }
    } else if (crowded.isPresent()) {
      full(incident, finding, before, during);
    } else if (CrowdedCores.slowerRequests(incident).isPresent()
        || CpuPerRequest.hiddenInWholeRun(incident).isPresent()
            && RuntimeWork.of(incident).total() < Policy.MAJORITY) {
      finding.supports(Hypothesis.CPU_SATURATION);
    } else {
      finding.contradicts(Hypothesis.CPU_SATURATION, room);
    }
    if (crowded.isPresent() && MachineLoad.isMetered(timeline)) {
      finding.sum(METERED);
    }
    if (MachineLoad.part(timeline).isPresent()) {
      finding.sum(CONFINED);
    }
    if (during.othersAtMost() < MachineLoad.OTHERS_NEGLIGIBLE) {
      finding.refutes(Hypothesis.HOST_CPU_CONTENTION);
    } else if (before.filter(b -> b.others() >= during.others()).isPresent()) {
      finding.weakens(Hypothesis.HOST_CPU_CONTENTION);
    }
    return finding.build();
  }

  /**
   * The machine's CPU use by its users.
   *
   * @param baseline whether the earlier figures are those of a baseline, not of the window's other
   *     seconds
   */
  private static String sentence(
      String whose,
      Optional<CrowdedCores> crowded,
      Optional<CpuUse> before,
      boolean baseline,
      CpuUse during) {
    String when = when(crowded);
    String collector = new Ratio(during.collector()).toString();
    String otherwise = when.isEmpty() || baseline ? " (before: " : " (otherwise: ";
    String compiler = new Ratio(during.compiler()).toString();
    return "%s %s%s%s: service %s%s%s, other processes %s"
        .formatted(
            whose,
            machine(during),
            when,
            before.map(b -> otherwise + machine(b) + ")").orElse(""),
            new Ratio(during.service()).share(),
            compiler.equals(NOTHING) ? "" : ", compiler " + compiler,
            collector.equals(NOTHING) ? "" : ", " + during.collectorName() + ' ' + collector,
            others(during));
  }

  /** The part of the window in which the CPUs were full; empty if all of it or none. */
  private static String when(Optional<CrowdedCores> crowded) {
    return part(crowded, " in %s of the seconds");
  }

  private static String busiest(Optional<CrowdedCores> crowded) {
    return part(crowded, ", busiest %s of the incident");
  }

  private static String part(Optional<CrowdedCores> crowded, String words) {
    return crowded
        .filter(cores -> cores.share() < 1)
        .map(cores -> words.formatted(new Ratio(cores.share())))
        .orElse("");
  }

  private static String brief(
      Optional<CrowdedCores> crowded, Optional<CpuUse> before, CpuUse during) {
    boolean part = crowded.filter(cores -> cores.share() < 1).isPresent();
    return "CPU "
        + (part ? "" : before.map(b -> machine(b) + " -> ").orElse(""))
        + machine(during)
        + when(crowded)
        + largest(during);
  }

  /** What other processes use, and whether that is enough to keep threads waiting. */
  private static String others(Optional<CpuUse> before, CpuUse during) {
    String now = others(during);
    if (during.othersAtMost() < MachineLoad.OTHERS_NEGLIGIBLE) {
      return "other processes use only " + now + " of the CPU";
    }
    String course = before.map(b -> others(b) + " -> ").orElse("") + now;
    boolean more = before.filter(b -> b.others() >= during.others()).isEmpty();
    return "other processes use " + course + " of the CPU" + (more ? "" : ", no more than before");
  }

  /** The largest user and the rest, which add up to the whole as printed. */
  private static String largest(CpuUse during) {
    if (isRange(during)) {
      return " (%s of this JVM + %s of other processes)"
          .formatted(new Ratio(during.jvm()), others(during));
    }
    Map<String, Double> users =
        Map.of(
            " service",
            during.service(),
            " " + during.collectorName(),
            during.collector(),
            " compiler",
            during.compiler(),
            " other processes",
            during.others());
    StringBuilder named = new StringBuilder();
    double rest = printed(during.machine());
    double largest = 0;
    for (Map.Entry<String, Double> user :
        users.entrySet().stream()
            .sorted(
                Map.Entry.<String, Double>comparingByValue()
                    .reversed()
                    .thenComparing(Map.Entry.comparingByKey()))
            .toList()) {
      // A rest that is larger than what is named would hide it.
      if (rest <= largest || printed(user.getValue()) == 0 && largest > 0) {
        break;
      }
      named.append(new Ratio(user.getValue())).append(user.getKey()).append(" + ");
      largest = Math.max(largest, user.getValue());
      rest -= printed(user.getValue());
    }
    return " (" + named + new Ratio(Math.max(0, rest)) + " rest)";
  }

  /** Of a JVM that is confined to some of the CPUs, others may use none or all of the rest. */
  private static String machine(CpuUse use) {
    return isRange(use)
        ? new Ratio(use.machine()) + " to " + new Ratio(use.most())
        : new Ratio(use.machine()).toString();
  }

  private static String others(CpuUse use) {
    String least = new Ratio(use.others()).toString();
    String most = new Ratio(use.othersAtMost()).toString();
    return least.equals(most) ? least : least + " to " + most;
  }

  private static boolean isRange(CpuUse use) {
    return use.most() - use.machine() > Policy.NEGLIGIBLE;
  }

  /** As a percentage with one decimal has it. */
  private static double printed(double share) {
    return Math.round(share * 1000) / 1000.0;
  }

  /** The service's hot code matters only if the service uses the CPUs. */
  private static String hottest(Timeline timeline, Window window, CpuUse during) {
    return during.service() >= during.machine() / 2 ? HotCode.hottest(timeline, window) : "";
  }

  /** Attributes full CPUs: by growth if the baseline's CPUs were not full. */
  private static void full(
      MeasuredIncident incident, FindingBuilder finding, Optional<CpuUse> before, CpuUse during) {
    RuntimeWork runtime = RuntimeWork.of(incident);
    double service = growth(before, during, CpuUse::service, Policy.NEGLIGIBLE);
    double compiler = growth(before, during, CpuUse::compiler, 0);
    double collector = growth(before, during, CpuUse::collector, Policy.NEGLIGIBLE);
    double others = growth(before, during, CpuUse::others, MachineLoad.OTHERS_NEGLIGIBLE);
    double sum = service + compiler + collector + others;
    if (sum <= 0) {
      return;
    }
    boolean bothCure = runtime.exceptions() >= Policy.MAJORITY && fillsAllCores(incident, during);
    double cured = bothCure ? 1.0 / 2 * others / sum : 0;
    double own = service / sum * (1 - runtime.total());
    boolean fewer = MachineLoad.areCoresFewer(incident);
    boolean quota = !fewer && Throttling.mayBeHidden(incident.timeline());
    if (fewer) {
      finding
          .explains(Hypothesis.CPU_THROTTLING, Effect.CPU_QUEUE, own)
          .sum(
              "the process may use %s, %s before"
                  .formatted(
                      Numbers.counted(
                          MachineLoad.cores(incident.timeline(), incident.window()), "CPU"),
                      MachineLoad.cores(incident.timeline(), incident.baseline().orElseThrow())));
    } else if (quota) {
      finding.explainsEither(
          Hypothesis.CPU_SATURATION,
          Hypothesis.CPU_THROTTLING,
          Effect.CPU_QUEUE,
          own,
          COUNT_THROTTLING);
    } else {
      finding.explains(Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE, own);
    }
    finding
        .explains(Hypothesis.THREAD_LEAK, Effect.CPU_QUEUE, service / sum * runtime.keptThreads())
        .explains(
            Hypothesis.EXCEPTION_STORM,
            Effect.CPU_QUEUE,
            service / sum * runtime.exceptions() + cured)
        .explains(Hypothesis.JIT_PRESSURE, Effect.CPU_QUEUE, service / sum * runtime.interpreted())
        .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE, others / sum - cured)
        .passes(
            Effect.CPU_QUEUE,
            Effect.STOPPED,
            collector / sum,
            "the collector's own work is "
                + new Ratio(collector / sum)
                + (before.isPresent() ? " of the added CPU time" : " of the CPU in use"));
    double most = Math.max(service, others);
    if (fewer && service > 0) {
      finding.supports(Hypothesis.CPU_THROTTLING);
    } else if (most > 0
        && collector <= most
        && runtime.total() < Policy.MAJORITY
        && !LoadTestDelays.isOneLongTime(incident.timeline())) {
      finding.supports(
          service >= others ? Hypothesis.CPU_SATURATION : Hypothesis.HOST_CPU_CONTENTION);
      if (quota && service >= others) {
        finding.supports(Hypothesis.CPU_THROTTLING);
      }
    }
  }

  /** Whether the service's own threads would keep all CPUs busy without other processes. */
  private static boolean fillsAllCores(MeasuredIncident incident, CpuUse during) {
    double cores = MachineLoad.cores(incident.timeline());
    double wanting = incident.effects().during(Effect.CPU_QUEUE) + during.service() * cores;
    return wanting >= THREADS_PER_CORE * cores;
  }

  /**
   * Growth of one part.
   *
   * @param least a smaller part does not fill the CPUs, however much it grew
   */
  private static double growth(
      Optional<CpuUse> before, CpuUse during, ToDoubleFunction<CpuUse> part, double least) {
    double now = part.applyAsDouble(during);
    double usual = before.map(part::applyAsDouble).orElse(0.0);
    return now < least ? 0 : Math.max(0, now - usual);
  }

  private static OptionalDouble mean(MetricSeries series, Window window) {
    return Meter.inside(series, window).stream().mapToDouble(Point::value).average();
  }

  /**
   * How busy the machine is, by tools that do not say with what: full CPUs are the service's or
   * other processes', and a machine with room delays no request, unless the service is confined to
   * a few of its CPUs.
   */
  private static final class MachineAlone {

    private static final String WHOSE =
        "see whose CPU it is: top -b -n 3, or pidstat 1 5, during the incident";

    static Optional<Finding> of(String rule, MeasuredIncident incident) {
      return busiest(incident, MetricMeaning.MACHINE_CPU)
          .map(series -> finding(rule, incident, series));
    }

    private static Optional<MetricSeries> busiest(
        MeasuredIncident incident, MetricMeaning meaning) {
      return incident.timeline().metrics(meaning).stream()
          .filter(series -> mean(series, incident.window()).isPresent())
          .max(Comparator.comparingDouble(one -> mean(one, incident.window()).getAsDouble()));
    }

    private static Finding finding(String rule, MeasuredIncident incident, MetricSeries series) {
      double now = Math.min(1, mean(series, incident.window()).orElseThrow());
      OptionalDouble queue =
          busiest(incident, MetricMeaning.RUNNABLE)
              .map(one -> mean(one, incident.window()))
              .orElse(OptionalDouble.empty());
      FindingBuilder finding =
          Finding.of(
                  rule,
                  "machine CPU %s%s; these files do not say whose it is"
                      .formatted(
                          new Ratio(now),
                          queue.isPresent()
                              ? ", %s processes run or wait for a CPU"
                                  .formatted(Numbers.threeDigits(queue.getAsDouble()))
                              : ""))
              .figure(
                  "machine CPU",
                  incident.baseline().map(one -> mean(series, one)).orElse(OptionalDouble.empty()),
                  now,
                  share -> new Ratio(Math.min(1, share)).toString())
              .value("machine", now)
              .value("runnable", queue)
              .from(series.source());
      return whosever(finding, now >= Policy.FULL, now < Policy.CLEAR_ROOM);
    }

    /** Evidence for or against full CPUs, whether the service or other processes use them. */
    private static Finding whosever(FindingBuilder finding, boolean full, boolean free) {
      if (full) {
        finding
            .supports(Hypothesis.CPU_SATURATION)
            .supports(Hypothesis.HOST_CPU_CONTENTION)
            .inseparable(Hypothesis.CPU_SATURATION, Hypothesis.HOST_CPU_CONTENTION, WHOSE);
      } else if (free) {
        finding.weakens(Hypothesis.CPU_SATURATION).weakens(Hypothesis.HOST_CPU_CONTENTION);
      }
      return finding.build();
    }
  }

  /**
   * For how much of the time some thread waits for a CPU, as Linux counts it (kernel.org, "PSI -
   * Pressure Stall Information"). It does not say behind whose work.
   */
  private static final class Pressure {

    static Optional<Finding> of(String rule, MeasuredIncident incident) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      Optional<MetricSeries> read = MachineAlone.busiest(incident, MetricMeaning.CPU_WAITING);
      return read.isPresent()
          ? read.map(series -> finding(rule, mean(series, window).orElseThrow(), series))
          : timeline.metrics(MetricMeaning.CPU_WAITING_SECONDS).stream()
              .filter(series -> Meter.perSecond(series, window).isPresent())
              .findFirst()
              .map(series -> finding(rule, Meter.perSecond(series, window).orElseThrow(), series));
    }

    private static Finding finding(String rule, double waiting, MetricSeries series) {
      double share = Math.min(1, waiting);
      FindingBuilder finding =
          Finding.of(
                  rule,
                  "some thread waits for a CPU %s of the time%s"
                      .formatted(
                          new Ratio(share),
                          share < Policy.NEGLIGIBLE
                              ? ""
                              : "; these files do not say for whose work"))
              .figure("time that threads wait for a CPU", new Ratio(share).toString())
              .value("waitingForCpu", share)
              .from(series.source());
      return MachineAlone.whosever(finding, share >= Policy.MAJORITY, share < Policy.NEGLIGIBLE);
    }
  }

  /**
   * The load average, used if no CPU load is recorded. A high value does not prove waiting for CPU:
   * on Linux it includes threads that wait for a disk, it is that of the machine and not of a
   * container, and it lags by a minute. If it is below the number of cores, no thread waits for
   * long.
   */
  private static final class LoadAverage {

    static Optional<Finding> of(String rule, MeasuredIncident incident) {
      int cores = MachineLoad.cores(incident.timeline());
      // With several machines, it is unknown which one the service runs on; the busiest is used.
      Optional<MetricSeries> busiest =
          incident.timeline().metrics(MetricMeaning.LOAD_AVERAGE).stream()
              .filter(series -> mean(series, incident.window()).isPresent())
              .max(Comparator.comparingDouble(one -> mean(one, incident.window()).getAsDouble()));
      return cores == 0 || incident.timeline().sees(Signal.CPU_LOAD)
          ? Optional.empty()
          : busiest.map(series -> finding(rule, incident, series, cores));
    }

    private static Finding finding(
        String rule, MeasuredIncident incident, MetricSeries series, int cores) {
      double now = mean(series, incident.window()).orElseThrow();
      OptionalDouble before =
          incident
              .baseline()
              .map(baseline -> mean(series, baseline))
              .orElse(OptionalDouble.empty());
      FindingBuilder finding =
          Finding.of(
                  rule,
                  "load average %s%s on %s%s"
                      .formatted(
                          before.isPresent()
                              ? Numbers.threeDigits(before.getAsDouble()) + " -> "
                              : "",
                          Numbers.threeDigits(now),
                          Numbers.counted(cores, "CPU"),
                          now > cores
                              ? ": threads of the machine wait for CPU, or for a disk, which counts"
                                  + " as well"
                              : ""))
              .value("loadAverage", now)
              .value("cores", cores)
              .from(series.source());
      return now > cores
          ? finding.accompanies(Hypothesis.CPU_SATURATION).build()
          : finding.weakens(Hypothesis.CPU_SATURATION).build();
    }
  }
}
