package io.gcdiag.rules;

import io.gcdiag.evidence.CpuLoad;
import io.gcdiag.evidence.GcCpu;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Source;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.MachineLoad;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Asks whether the machine's cores are full, and if so whose work fills them: the service's own,
 * the collector's, or other processes'.
 */
public final class CpuLoadRule implements Rule {

  /** Below this mean use there is room on the cores most of the time. */
  private static final double CLEAR_ROOM = 0.7;

  /** A collector below this share of the machine keeps nobody from a core. */
  private static final double COLLECTOR_NEGLIGIBLE = 0.05;

  @Override
  public String id() {
    return "cpu-load";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.CPU_LOAD);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.CPU_SATURATION, Hypothesis.HOST_CPU_CONTENTION);
  }

  /** Mean shares of the machine in one window. */
  private record Use(double machine, double jvm, double collector) {
    static Optional<Use> of(Timeline timeline, Window window) {
      List<CpuLoad> loads = timeline.cpu(window);
      if (loads.isEmpty()) {
        return Optional.empty();
      }
      double cores = Math.max(1, timeline.jvm().cpus().orElse(1));
      double collector = 0;
      for (GcCpu cpu : timeline.gcCpu(window)) {
        collector += Durations.seconds(cpu.user()) + Durations.seconds(cpu.system());
      }
      double jvm = mean(loads, CpuLoad::jvm);
      return Optional.of(
          new Use(
              mean(loads, CpuLoad::machineTotal),
              jvm,
              Math.min(jvm, collector / (window.seconds() * cores))));
    }

    private static double mean(List<CpuLoad> loads, ToDoubleFunction<CpuLoad> value) {
      return loads.stream().mapToDouble(value).average().orElse(0);
    }

    double service() {
      return jvm - collector;
    }

    double others() {
      return Math.max(0, machine - jvm);
    }
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    Optional<Use> during = Use.of(timeline, window);
    Optional<Use> before = incident.windows().baseline().flatMap(w -> Use.of(timeline, w));
    return during.map(use -> List.of(judge(timeline, window, before, use))).orElse(List.of());
  }

  private Finding judge(Timeline timeline, Window window, Optional<Use> before, Use during) {
    String file =
        timeline.inputs().stream()
            .filter(input -> input.format().equals("jfr"))
            .map(input -> input.file())
            .findFirst()
            .orElse("recording");
    FindingBuilder finding =
        Finding.of(
                id(),
                "machine CPU "
                    + new Ratio(during.machine())
                    + before.map(b -> " (before: " + new Ratio(b.machine()) + ")").orElse("")
                    + ": service "
                    + new Ratio(during.service())
                    + ", collector's pauses "
                    + new Ratio(during.collector())
                    + ", other processes "
                    + new Ratio(during.others()))
            .value("machine", during.machine())
            .value("service", during.service())
            .value("collector", during.collector())
            .value("others", during.others())
            .from(new Source(file, "jdk.CPULoad"));
    if (during.machine() >= MachineLoad.FULL) {
      full(finding, before, during);
    } else if (MachineLoad.worstStretch(timeline, window).orElse(1) < CLEAR_ROOM) {
      finding.refutes(Hypothesis.CPU_SATURATION);
    } else {
      finding.weakens(Hypothesis.CPU_SATURATION);
    }
    if (during.others() < MachineLoad.OTHERS_NEGLIGIBLE) {
      finding.refutes(Hypothesis.HOST_CPU_CONTENTION);
    } else if (before.filter(b -> b.others() >= during.others()).isPresent()) {
      finding.weakens(Hypothesis.HOST_CPU_CONTENTION);
    }
    return finding.build();
  }

  /** Who made the cores full: by growth where there is a calm with room to compare with. */
  private static void full(FindingBuilder finding, Optional<Use> baseline, Use during) {
    Optional<Use> before = baseline.filter(use -> use.machine() < MachineLoad.FULL);
    double service = growth(before.map(Use::service), during.service());
    double collector =
        during.collector() < COLLECTOR_NEGLIGIBLE
            ? 0
            : growth(before.map(Use::collector), during.collector());
    // What does not crowd the JVM out cannot be the cause, however much it grew.
    double others =
        during.others() < MachineLoad.OTHERS_NEGLIGIBLE
            ? 0
            : growth(before.map(Use::others), during.others());
    double sum = service + collector + others;
    if (sum <= 0) {
      return;
    }
    finding
        .explains(Hypothesis.CPU_SATURATION, Effect.CPU_QUEUE, service / sum)
        .explains(Hypothesis.HOST_CPU_CONTENTION, Effect.CPU_QUEUE, others / sum)
        .passes(
            Effect.CPU_QUEUE,
            Effect.STOPPED,
            collector / sum,
            "the collector's own work is "
                + new Ratio(collector / sum)
                + " of what fills the cores");
    if (collector <= Math.max(service, others)) {
      finding.supports(
          service >= others ? Hypothesis.CPU_SATURATION : Hypothesis.HOST_CPU_CONTENTION);
    }
  }

  private static double growth(Optional<Double> before, double during) {
    return Math.max(0, during - before.orElse(0.0));
  }
}
