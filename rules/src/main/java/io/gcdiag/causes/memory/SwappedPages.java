package io.gcdiag.causes.memory;

import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.MetricSeries.Point;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.MemorySample.MachineMemory;
import io.gcdiag.evidence.jvm.MemorySample.SwapSpace;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.CollectorTimes;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.requests.Meter;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Bytes;
import java.util.List;
import java.util.Optional;

/**
 * Swap space in use, and what the collector's pauses lost to fetching pages from it.
 *
 * @param readings how many readings there are
 * @param last what was in use at the last one
 * @param grown by how much that is more than at the first
 * @param moved what went to swap space and came back in the incident, where a meter counts it
 * @param waited share of the pauses in which not even one collector thread ran though cores were
 *     free, 0 to 1: below one core in use a single thread that never waited would have been as fast
 * @param swapping whether pages were swapped out or in while it was recorded; of a single reading,
 *     whether memory is full
 * @param kernel share of the rest that was the operating system's, 0 to 1, while pages are swapped:
 *     it fetches some and makes room for them
 */
record SwappedPages(
    int readings,
    Bytes last,
    Bytes grown,
    Bytes moved,
    double waited,
    boolean swapping,
    double kernel) {

  /** Changes of swap space below this happen on any machine within minutes. */
  private static final Bytes RIPPLE = Bytes.ofMebi(16);

  /** Empty without readings of swap space. */
  static Optional<SwappedPages> of(MeasuredIncident incident) {
    Timeline timeline = incident.timeline();
    List<SwapSpace> swap = timeline.samples(SwapSpace.class);
    if (swap.isEmpty()) {
      return Optional.empty();
    }
    Bytes last = swap.get(swap.size() - 1).used();
    Bytes grown = last.minusOrZero(swap.get(0).used());
    Bytes moved = moved(timeline, incident.window());
    CollectorTimes times = incident.collectorTimes(incident.window());
    boolean measured =
        times.realSeconds() >= CollectorStarvation.LEAST_MEASURED_SECONDS && times.cpuSeconds() > 0;
    double waited =
        measured && !isCrowded(timeline, incident.window()) ? Math.max(0, 1 - times.cores()) : 0;
    boolean swapping =
        swap.size() == 1
            ? isFull(timeline)
            : grown.compareTo(RIPPLE) > 0 || moved.compareTo(RIPPLE) > 0;
    double kernel = measured && swapping ? 1 - times.userSeconds() / times.cpuSeconds() : 0;
    return Optional.of(new SwappedPages(swap.size(), last, grown, moved, waited, swapping, kernel));
  }

  /**
   * Whether memory runs full, and so what is in swap space has no room outside it. A recording of
   * less than half a minute has one reading of each: no growth is seen by it.
   */
  private static boolean isFull(Timeline timeline) {
    return timeline.samples(MachineMemory.class).stream()
        .anyMatch(one -> one.used().value() >= Policy.FULL * one.total().value());
  }

  /** Rates of vmstat, over the time of the window. */
  private static Bytes moved(Timeline timeline, Window window) {
    double perSecond =
        timeline.metrics(MetricMeaning.SWAP_TRAFFIC).stream()
            .mapToDouble(
                series ->
                    Meter.inside(series, window).stream()
                        .mapToDouble(Point::value)
                        .average()
                        .orElse(0))
            .max()
            .orElse(0);
    return Bytes.of(Math.round(perSecond * window.seconds()));
  }

  /** If other processes use the cores, threads wait for those instead. */
  private static boolean isCrowded(Timeline timeline, Window window) {
    return MachineLoad.isFull(timeline, window)
        || CpuUse.of(timeline, window)
            .filter(use -> use.others() >= MachineLoad.OTHERS_NEGLIGIBLE)
            .isPresent();
  }

  /** Whether more swap space is in use than usual on any machine. */
  boolean inUse() {
    return last.compareTo(RIPPLE) > 0;
  }

  /**
   * Share of the stopped time, 0 to 1, spent fetching pages. The collector reads pages that were
   * swapped out at any earlier time.
   */
  double shareOfPauses() {
    double lost = waited + (1 - waited) * kernel;
    return inUse() && lost >= Policy.SUBSTANTIAL ? lost : 0;
  }
}
