package io.gcdiag.causes.memory;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PauseTotals;
import io.gcdiag.policy.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/**
 * How much of the pauses was collector threads waiting for CPU that other processes had.
 *
 * <p>While all application threads are stopped, the collector has the cores to itself unless others
 * take them. Its parallelism is CPU time over elapsed time. Where it drops below what is usual, the
 * difference is lost time, provided that other processes do keep the machine busy. Usual is the
 * baseline's, if that was quiet; else all cores, if the machine is full in pauses; else one core,
 * below which a single collector thread would have been as fast. Others that had as much of the
 * machine in the baseline slowed down each pause then as well and are not why pauses grew.
 */
final class CollectorStarvation {

  /**
   * The JVM counts CPU time in steps of about 10 ms; fewer than ten steps give no reliable
   * parallelism.
   */
  static final double LEAST_MEASURED_SECONDS = 0.1;

  /** Share of the stopped time in the incident window, 0 to 1. */
  static double share(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    OptionalDouble during = parallelism(incident, window);
    double others = others(timeline, window);
    boolean asBefore =
        incident.baseline().filter(baseline -> others(timeline, baseline) >= others).isPresent();
    if (during.isEmpty() || asBefore || others < MachineLoad.OTHERS_NEGLIGIBLE) {
      return 0;
    }
    double usual = Math.max(1, usualParallelism(incident));
    return Math.max(0, 1 - during.getAsDouble() / usual);
  }

  private static double usualParallelism(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    Optional<Window> baseline = incident.baseline();
    if (baseline
        .filter(window -> others(timeline, window) < MachineLoad.OTHERS_NEGLIGIBLE)
        .isPresent()) {
      return parallelism(incident, baseline.get()).orElse(1);
    }
    if (inPauses(timeline, incident.window(), CpuLoad::machineTotal) < Policy.FULL) {
      return 1;
    }
    double threads = timeline.jvm().number("ParallelGCThreads").orElse(1);
    return Math.min(threads, timeline.jvm().cpus().orElse(1));
  }

  /** CPU time of the collector's pauses over their elapsed time; empty if hardly measured. */
  private static OptionalDouble parallelism(MeasuredIncident incident, Window window) {
    CollectorTimes times = incident.collectorTimes(window);
    return times.realSeconds() < LEAST_MEASURED_SECONDS
        ? OptionalDouble.empty()
        : OptionalDouble.of(times.cores());
  }

  private static double others(Timeline timeline, Window window) {
    return inPauses(timeline, window, load -> Math.max(0, load.machineTotal() - load.jvm()));
  }

  /**
   * Mean share of the machine while the collector ran. Each reading covers the time since the
   * previous one and is weighted by the stopped part of that time. Without stops it is the mean of
   * all readings; 0 if the load is not recorded.
   */
  private static double inPauses(
      Timeline timeline, Window window, ToDoubleFunction<CpuLoad> share) {
    List<CpuLoad> loads = timeline.cpu(window);
    double stopped = 0;
    double sum = 0;
    for (int i = 1; i < loads.size(); i++) {
      Instant before = loads.get(i - 1).at();
      Instant at = loads.get(i).at();
      if (before.isBefore(at)) {
        Window between = new Window(before, at);
        double seconds = PauseTotals.of(timeline, between).shareStopped() * between.seconds();
        stopped += seconds;
        sum += seconds * share.applyAsDouble(loads.get(i));
      }
    }
    return stopped > 0 ? sum / stopped : loads.stream().mapToDouble(share).average().orElse(0);
  }
}
