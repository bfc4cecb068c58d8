package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.Meter;
import java.util.Comparator;
import java.util.Optional;

/**
 * Pages that were read from disk again because the memory limit of the container took them away: of
 * mapped files and of the program, as the kernel can give those up without swap space.
 *
 * @param perSecond pages a second in the incident
 * @param reached how often the limit was reached in the incident
 * @param kernelCores growth of the JVM's kernel time in cores, at most what so many pages take
 * @param grownCores growth of what the service computes in cores, without GC and compilers
 * @param source where they were counted
 */
public record FetchedPages(
    double perSecond,
    double before,
    double reached,
    double kernelCores,
    double grownCores,
    Source source) {

  /**
   * Upper bound of the kernel's CPU time for one page, with that of making room for it, in seconds.
   * Measured 27 us: 0.55 cores for 20,500 pages a second of a mapped file, in a full control group
   * of Linux 6.18.
   */
  private static final double MOST_SECONDS = 100e-6;

  /** Empty unless the limit was reached and pages were counted in both windows. */
  public static Optional<FetchedPages> of(Incident incident) {
    if (incident.baseline().isEmpty()) {
      return Optional.empty();
    }
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    Window baseline = incident.baseline().get();
    double reached =
        timeline.metrics(MetricMeaning.MEMORY_LIMIT_REACHED).stream()
            .mapToDouble(series -> Meter.grown(series, window).orElse(0))
            .max()
            .orElse(0);
    return timeline.metrics(MetricMeaning.PAGES_FETCHED).stream()
        .filter(series -> reached > 0 && Meter.perSecond(series, baseline).isPresent())
        .max(Comparator.comparingDouble(series -> Meter.perSecond(series, window).orElse(0)))
        .map(series -> of(incident, series, reached))
        .filter(pages -> pages.kernelCores() > 0 && pages.grownCores() > 0);
  }

  /** The kernel's part of what the service computes more than before, 0 to 1. */
  public double share() {
    return Math.min(1, kernelCores / grownCores);
  }

  private static FetchedPages of(Incident incident, MetricSeries series, double reached) {
    Timeline timeline = incident.timeline();
    Window baseline = incident.baseline().orElseThrow();
    double during = Meter.perSecond(series, incident.window()).orElse(0);
    double before = Meter.perSecond(series, baseline).orElse(0);
    int cores = Math.max(1, MachineLoad.cores(timeline));
    double kernel =
        MachineLoad.kernel(timeline, incident.window()) - MachineLoad.kernel(timeline, baseline);
    double service = service(timeline, incident.window()) - service(timeline, baseline);
    return new FetchedPages(
        during,
        before,
        reached,
        Math.min(kernel * cores, (during - before) * MOST_SECONDS),
        service * cores,
        series.source());
  }

  private static double service(Timeline timeline, Window window) {
    return CpuUse.of(timeline, window).map(CpuUse::service).orElse(0.0);
  }
}
