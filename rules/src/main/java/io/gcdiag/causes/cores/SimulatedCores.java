package io.gcdiag.causes.cores;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.CpuLoad;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.CoreQueue;
import io.gcdiag.measures.jvm.CpuUse;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.ArrivalCourse;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.RequestSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.stream.LongStream;

/**
 * The cores of a window with the requests that were measured, simulated with the recorded pauses.
 *
 * <p>Requests come as the JVM's CPU use went second by second, at the measured rate altogether.
 * Each computes for the CPU time per request, spread exponentially, as work of mixed sizes is; what
 * others use of the cores makes it take longer. Only what the cores add counts: what the pauses
 * cost where there is a core for every thread is theirs.
 *
 * @param waiting requests that wait for CPU, on average
 * @param rate at which requests come
 * @param each CPU time per request
 * @param others share of the cores that others use, 0 to 1
 */
record SimulatedCores(double waiting, Rate rate, Duration each, Ratio others) {

  /**
   * Absent where the rate or the CPU are not known, or the requests too many to simulate. Absent
   * also where the cores are full on average: the rate is then that at which they are served, and
   * the one at which they come may be any higher.
   */
  static Optional<SimulatedCores> of(Incident incident, Window window) {
    Timeline timeline = incident.timeline();
    Optional<CpuUse> use = CpuUse.of(timeline, window);
    Optional<Rate> rate = RequestRate.of(incident, window);
    int cores = MachineLoad.cores(timeline);
    if (use.isEmpty() || rate.isEmpty() || cores == 0 || MachineLoad.isFull(timeline, window)) {
      return Optional.empty();
    }
    double users = use.get().jvm() * CoreQueue.users(timeline, window);
    double others = Math.max(0, use.get().machine() - users);
    double perSecond = rate.get().perSecond();
    Duration each = Durations.ofSeconds(users * cores / perSecond);
    Duration taken = Durations.ofSeconds(users * cores / perSecond / (1 - others));
    boolean feasible =
        !each.isZero()
            && perSecond * window.seconds() <= PausesAlone.MOST_REQUESTS
            && RequestModel.canRun(perSecond, cores, taken, window.length());
    return feasible
        ? Optional.of(
            new SimulatedCores(
                waiting(timeline, window, perSecond, taken), rate.get(), each, new Ratio(others)))
        : Optional.empty();
  }

  private static double waiting(
      Timeline timeline, Window window, double perSecond, Duration taken) {
    ArrivalCourse course =
        ArrivalCourse.of(timeline.cpu(window).stream().mapToDouble(CpuLoad::jvm).toArray());
    List<Stall> stalls = PausesAlone.stalls(timeline.pauses(window), window);
    HoldTime computing = new HoldTime.Exponential(taken);
    Function<OptionalInt, RequestModel> on =
        cores ->
            new RequestModel(
                perSecond, cores, computing, RequestModel.NOTHING, window.length(), stalls);
    RequestModel few = on.apply(OptionalInt.of(MachineLoad.cores(timeline)));
    RequestModel enough = on.apply(OptionalInt.empty());
    return LongStream.range(RequestSimulation.SEED, RequestSimulation.SEED + RequestSimulation.RUNS)
            .mapToDouble(seed -> lost(few, course, seed) - lost(enough, course, seed))
            .average()
            .orElseThrow()
        / window.seconds();
  }

  private static double lost(RequestModel model, ArrivalCourse course, long seed) {
    return Durations.seconds(
        RequestSimulation.run(model, course, seed).excesses().observedAbove(Duration.ZERO).total());
  }

  /**
   * Whether the observation does not refute the simulation: it does not produce many times the
   * observed waiting.
   */
  boolean isCredible(double observed) {
    return Policy.SUBSTANTIAL * waiting <= observed;
  }

  /** What was simulated and came of it, one clause. */
  String words() {
    return ("%s with %s of CPU each, others using %s of the cores, make %s threads wait"
            + " for CPU (simulated with the recorded pauses)")
        .formatted(rate, Durations.format(each), others, Numbers.threeDigits(waiting));
  }
}
