package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.policy.Policy;
import java.util.List;
import java.util.Optional;

/**
 * The seconds of a window in which the machine's cores were full ({@link Policy#FULL}), and who
 * used them then and otherwise.
 *
 * @param share of the window's seconds
 * @param then who used the cores in these seconds; a second in which the JVM did little counts
 *     little
 * @param otherwise who used them in the baseline, if they were not full there on average, or else
 *     in the window's other seconds; absent if there are too few of both
 */
public record CrowdedCores(double share, CpuUse then, Optional<CpuUse> otherwise) {

  /** Absent if the cores were full for less than some seconds, or nothing is known of them. */
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

  /** Whether a window's cores were full for more than a burst. */
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
