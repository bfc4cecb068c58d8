package io.gcdiag.measures.jvm;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.time.Latencies;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.ServedRequests;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import java.util.ArrayList;
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

  /**
   * That requests, or rounds of workers, clearly take longer where the CPUs are full than where
   * they have room ({@link Policy#CLEAR_ROOM}), if one window without a baseline holds both. Full
   * seconds before a time with room are a warm-up. They must be a lasting state, or recur as the
   * work of threads that serve no requests: a burst of requests is long in every service.
   */
  public static Optional<String> slowerRequests(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.window();
    List<CpuLoad> room = new ArrayList<>();
    List<CpuLoad> full = new ArrayList<>();
    for (CpuLoad load : timeline.cpu(window)) {
      if (load.machineTotal() < Policy.CLEAR_ROOM) {
        room.add(load);
      } else if (isFull(load) && room.size() >= MachineLoad.SUSTAINED) {
        full.add(load);
      }
    }
    boolean recurs =
        full.size() >= Policy.RECURRING
            && timeline.areRequestsMeasured()
            && CpuUse.byOwnWork(timeline, window, full)
                .filter(use -> use.isOwnWork() && use.requestThreads() < Policy.MAJORITY)
                .isPresent();
    if (incident.baseline().isPresent() || !recurs && full.size() < MachineLoad.SUSTAINED) {
      return Optional.empty();
    }
    double then = meanLatency(timeline, full);
    double otherwise = meanLatency(timeline, room);
    return LoadTestDelays.mayMultiply(then - otherwise) && then >= Policy.CLEARLY_MORE * otherwise
        ? Optional.of(
            "In %s seconds with full CPUs requests took %s on average, in seconds with free CPUs %s"
                .formatted(full.size(), Durations.format(then), Durations.format(otherwise)))
        : Optional.empty();
  }

  /** Over the seconds before readings, which are means of them; not a number of few requests. */
  private static double meanLatency(Timeline timeline, List<CpuLoad> readings) {
    Latencies all = Latencies.none();
    for (CpuLoad load : readings) {
      Window second = new Window(load.at().minusSeconds(1), load.at());
      all =
          all.plus(
              timeline
                  .requestsOfSpan()
                  .map(series -> series.within(second).latencies())
                  .orElseGet(() -> ServedRequests.rounds(timeline, second)));
    }
    return all.count() < Policy.FEWEST_FOR_A_MEAN ? Double.NaN : all.totalSeconds() / all.count();
  }

  private static List<CpuLoad> full(List<CpuLoad> loads) {
    return loads.stream().filter(CrowdedCores::isFull).toList();
  }

  private static boolean isFull(CpuLoad load) {
    return load.machineTotal() >= Policy.FULL;
  }
}
