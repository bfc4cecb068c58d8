package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Whether the machine's cores are full. */
public final class MachineLoad {

  /**
   * Other processes below this share of the machine do not crowd the JVM out: they leave it four of
   * five cores.
   */
  public static final double OTHERS_NEGLIGIBLE = 0.2;

  /** Readings that last: they come once a second. */
  public static final int SUSTAINED = (int) Policy.SUSTAINED.toSeconds();

  /** The event that shows how full the cores are. */
  public static final String EVENT = "jdk.CPULoad";

  private MachineLoad() {}

  /** Readings that last: {@link #SUSTAINED}, or of meters, scraped seldom, as many as recur. */
  static int sustained(Timeline timeline) {
    return isMetered(timeline) ? Policy.RECURRING : SUSTAINED;
  }

  /**
   * CPUs that loads are shares of: those that the JVM is {@link #confined} to, else the machine's,
   * though a container may get time of fewer; 0 if they are not known.
   */
  public static int cores(Timeline timeline) {
    int machine = HardwareThreads.of(timeline.samples(HardwareThreads.class));
    int usable = timeline.jvm().cpus().orElse(0);
    return machine == 0 ? usable : confined(timeline).orElse(machine);
  }

  /** The CPUs that the JVM is confined to, where they are not all of the machine's. */
  private static OptionalInt confined(Timeline timeline) {
    return HardwareThreads.confined(
        timeline.samples(HardwareThreads.class),
        timeline.samples(CpuQuota.class),
        timeline.jvm().cpusGiven());
  }

  /** Which CPUs loads are shares of: {@code 1 of 2}; empty if all of the machine's. */
  public static Optional<String> part(Timeline timeline) {
    int machine = HardwareThreads.of(timeline.samples(HardwareThreads.class));
    return confined(timeline).stream().mapToObj(cpus -> cpus + " of " + machine).findFirst();
  }

  /**
   * What CPU loads of single threads have to be multiplied with to be shares of the machine: the
   * JVM states them as shares of the cores that its container gives it ({@code
   * JfrThreadCPULoadEvent::get_processor_count}).
   */
  public static double threadScale(Timeline timeline) {
    int cores = cores(timeline);
    return cores == 0 ? 1 : Math.min(1, timeline.jvm().cpus().orElse(cores) / (double) cores);
  }

  /**
   * Context switches a second, of all processes. A reading is the mean since the one before, ten
   * seconds by default: it counts for the window that most of these lie in.
   */
  public static OptionalDouble switchesPerSecond(Timeline timeline, Window window) {
    return timeline.samples(ContextSwitches.class).stream()
        .filter(
            reading ->
                2
                        * window
                            .overlap(reading.at().minus(reading.interval()), reading.interval())
                            .toNanos()
                    > reading.interval().toNanos())
        .mapToDouble(ContextSwitches::perSecond)
        .average();
  }

  /** Whether loads are those of meters, because there is no recording. */
  public static boolean isMetered(Timeline timeline) {
    return metered(timeline).findFirst().isPresent()
        && timeline.inputs().stream()
            .noneMatch(input -> input.format().equals(InputReport.RECORDING));
  }

  private static Stream<MetricSeries> metered(Timeline timeline) {
    return Stream.of(MetricMeaning.PROCESS_CPU, MetricMeaning.PROCESS_CPU_SECONDS)
        .flatMap(meaning -> timeline.metrics(meaning).stream());
  }

  /** Where loads were read. */
  public static Source source(Timeline timeline) {
    return isMetered(timeline)
        ? metered(timeline).findFirst().orElseThrow().source()
        : timeline.recorded(EVENT);
  }

  /** Mean use of all cores by all processes, 0 to 1, at least; empty if not recorded. */
  public static OptionalDouble mean(Timeline timeline, Window window) {
    return timeline.cpu(window).stream().mapToDouble(CpuLoad::machineTotal).average();
  }

  /** Mean use of all cores by this JVM, 0 to 1; empty if not recorded. */
  public static OptionalDouble jvm(Timeline timeline, Window window) {
    return timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).average();
  }

  /** Whether it is full in the incident, as far as that is known. */
  public static boolean isFull(Incident incident) {
    return isFull(incident.timeline(), incident.window());
  }

  /** Whether it is full in the incident and was not in the baseline, as far as that is known. */
  public static boolean becameFull(Incident incident) {
    Timeline timeline = incident.timeline();
    return isFull(timeline, incident.window())
        && incident.baseline().filter(baseline -> isFull(timeline, baseline)).isEmpty();
  }

  /** What it can be at most: the highest mean over {@link #sustained} readings in a row. */
  public static OptionalDouble worstStretch(Timeline timeline, Window window) {
    List<CpuLoad> loads = timeline.cpu(window);
    int sustained = sustained(timeline);
    double worst = -1;
    for (int i = 0; i + sustained <= loads.size(); i++) {
      worst =
          Math.max(
              worst,
              loads.subList(i, i + sustained).stream()
                  .mapToDouble(CpuLoad::most)
                  .average()
                  .orElse(0));
    }
    return worst < 0
        ? loads.stream().mapToDouble(CpuLoad::most).average()
        : OptionalDouble.of(worst);
  }

  /** Whether it is known to be full. */
  public static boolean isFull(Timeline timeline, Window window) {
    return mean(timeline, window).orElse(0) >= Policy.FULL;
  }
}
