package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * The seconds of a window in which the machine's CPUs were full ({@link Policy#FULL}), and CPU use
 * in these and in other times.
 *
 * @param share share of the window's seconds
 * @param then CPU use in these seconds, weighted by what the JVM used in each
 * @param otherwise CPU use in the baseline, if its CPUs were not full on average; else in the
 *     window's other seconds; empty if there are too few readings of both
 */
public record CrowdedCores(double share, CpuUse then, Optional<CpuUse> otherwise) {

  /** Empty if the CPUs were full for less than a few seconds, or if CPU load is unknown. */
  public static Optional<CrowdedCores> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<CpuLoad> loads = timeline.cpu(window);
    List<CpuLoad> full = full(loads);
    boolean fullOnAverage = MachineLoad.isFull(timeline, window);
    if (loads.isEmpty() || full.size() < MachineLoad.sustained(timeline) && !fullOnAverage) {
      return Optional.empty();
    }
    List<CpuLoad> rest = loads.stream().filter(load -> !isFull(load)).toList();
    Optional<CpuUse> baseline =
        incident
            .baseline()
            .filter(before -> !MachineLoad.isFull(timeline, before))
            .flatMap(before -> CpuUse.of(timeline, before));
    Optional<CpuUse> between =
        rest.size() >= MachineLoad.sustained(timeline) && incident.baseline().isEmpty()
            ? CpuUse.of(timeline, window, rest)
            : Optional.empty();
    Optional<CpuUse> then =
        fullOnAverage ? CpuUse.of(timeline, window) : CpuUse.byOwnWork(timeline, window, full);
    return then.map(
        use ->
            new CrowdedCores(
                fullOnAverage ? 1 : (double) full.size() / loads.size(),
                use,
                baseline.or(() -> between)));
  }

  /** Whether a window's CPUs were full for longer than a burst. */
  public static boolean isCrowded(Timeline timeline, Window window) {
    return full(timeline.cpu(window)).size() >= MachineLoad.sustained(timeline)
        || MachineLoad.isFull(timeline, window);
  }

  private static List<CpuLoad> full(List<CpuLoad> loads) {
    return loads.stream().filter(CrowdedCores::isFull).toList();
  }

  private static boolean isFull(CpuLoad load) {
    return load.machineTotal() >= Policy.FULL;
  }
}
