package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.jvm.CpuSample.ContextSwitches;
import io.gcdiag.evidence.jvm.CpuSample.CpuQuota;
import io.gcdiag.evidence.jvm.CpuSample.HardwareThreads;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** CPU load of the machine, and whether its CPUs are full. */
public final class MachineLoad {

  /**
   * Other processes below this share of the machine do not matter: they leave four of five cores to
   * the JVM.
   */
  public static final double OTHERS_NEGLIGIBLE = 0.2;

  /** Number of readings that show a lasting state; they come once a second. */
  public static final int SUSTAINED = (int) Policy.SUSTAINED.toSeconds();

  /** The event that shows how full the cores are. */
  public static final String EVENT = "jdk.CPULoad";

  private MachineLoad() {}

  /**
   * Number of readings that show a lasting state: {@link #SUSTAINED}, or fewer for metrics, which
   * are scraped less often.
   */
  static int sustained(Timeline timeline) {
    return isMetered(timeline) ? Policy.RECURRING : SUSTAINED;
  }

  /**
   * The CPUs that loads are shares of: those that the JVM is {@link #confined} to, otherwise the
   * machine's, even if the container gets time of fewer; 0 if unknown.
   */
  public static int cores(Timeline timeline) {
    int machine = HardwareThreads.of(timeline.samples(HardwareThreads.class));
    int usable = timeline.jvm().cpus().orElse(0);
    return machine == 0 ? usable : confined(timeline).orElse(machine);
  }

  /** The same in a window, where meters say it over time: a container may be given fewer. */
  public static int cores(Timeline timeline, Window window) {
    int given =
        isMetered(timeline)
            ? (int)
                Math.round(
                    timeline.metrics(MetricMeaning.CPUS).stream()
                        .flatMap(series -> Meter.inside(series, window).stream())
                        .mapToDouble(Point::value)
                        .average()
                        .orElse(0))
            : 0;
    return given > 0 ? given : cores(timeline);
  }

  /** Whether the process may use fewer CPUs in the incident than in the baseline. */
  public static boolean areCoresFewer(Incident incident) {
    Timeline timeline = incident.timeline();
    return incident
        .baseline()
        .filter(usual -> cores(timeline, incident.window()) < cores(timeline, usual))
        .isPresent();
  }

  /** The number of CPUs that the JVM is confined to, if these are not all of the machine's. */
  private static OptionalInt confined(Timeline timeline) {
    return HardwareThreads.confined(
        timeline.samples(HardwareThreads.class),
        timeline.samples(CpuQuota.class),
        timeline.jvm().cpusGiven());
  }

  /** Which CPUs loads are shares of: {@code 1 of 2}; empty if they are all of the machine's. */
  public static Optional<String> part(Timeline timeline) {
    int machine = HardwareThreads.of(timeline.samples(HardwareThreads.class));
    return confined(timeline).stream().mapToObj(cpus -> cpus + " of " + machine).findFirst();
  }

  /**
   * Factor that converts CPU loads of single threads into shares of the machine. The JVM states
   * them as shares of the cores of its container ({@code
   * JfrThreadCPULoadEvent::get_processor_count}).
   */
  public static double threadScale(Timeline timeline) {
    int cores = cores(timeline);
    return cores == 0 ? 1 : Math.min(1, timeline.jvm().cpus().orElse(cores) / (double) cores);
  }

  /**
   * Context switches per second, of all processes. A reading is the mean since the previous one, by
   * default ten seconds; it counts for the window in which most of these lie.
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

  /** Whether loads are from metrics because there is no recording. */
  public static boolean isMetered(Timeline timeline) {
    return metered(timeline).findFirst().isPresent()
        && timeline.inputs().stream()
            .noneMatch(input -> input.format().equals(InputReport.RECORDING));
  }

  private static Stream<MetricSeries> metered(Timeline timeline) {
    return Stream.of(
            MetricMeaning.PROCESS_CPU,
            MetricMeaning.PROCESS_CORES,
            MetricMeaning.PROCESS_CPU_SECONDS,
            MetricMeaning.CONTAINER_CPU_SECONDS)
        .flatMap(meaning -> timeline.metrics(meaning).stream());
  }

  public static Source source(Timeline timeline) {
    return isMetered(timeline)
        ? metered(timeline).findFirst().orElseThrow().source()
        : timeline.recorded(EVENT);
  }

  /**
   * Mean CPU use of all processes as a share of all cores, 0 to 1, a lower bound; empty if not
   * recorded.
   */
  public static OptionalDouble mean(Timeline timeline, Window window) {
    return timeline.cpu(window).stream().mapToDouble(CpuLoad::machineTotal).average();
  }

  /** Mean CPU use of this JVM as a share of all cores, 0 to 1; empty if not recorded. */
  public static OptionalDouble jvm(Timeline timeline, Window window) {
    return timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).average();
  }

  /** Mean kernel time of this JVM as a share of all cores, 0 to 1; 0 if not recorded. */
  public static double kernel(Timeline timeline, Window window) {
    return timeline.cpu(window).stream().mapToDouble(CpuLoad::jvmSystem).average().orElse(0);
  }

  /** Whether the CPUs are known to be full in the incident. */
  public static boolean isFull(Incident incident) {
    return isFull(incident.timeline(), incident.window());
  }

  /** Whether the CPUs are known to be full in the incident, and were not in the baseline. */
  public static boolean becameFull(Incident incident) {
    Timeline timeline = incident.timeline();
    return isFull(timeline, incident.window())
        && incident.baseline().filter(baseline -> isFull(timeline, baseline)).isEmpty();
  }

  /** The highest mean over {@link #sustained} consecutive readings. */
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

  /** Whether the CPUs are known to be full. */
  public static boolean isFull(Timeline timeline, Window window) {
    return mean(timeline, window).orElse(0) >= Policy.FULL;
  }
}
