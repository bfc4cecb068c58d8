package io.gcdiag.causes.pool;

import io.gcdiag.causes.pool.LongerHolds.Cause;
import io.gcdiag.causes.pool.PoolWaitSplit.Basis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.RequestSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * A pool as its figures or their bounds make it, simulated over the incident window.
 *
 * @param rate at which connections are borrowed
 * @param hold how long one is held undisturbed
 * @param added by how much a hold became longer, in seconds by cause
 * @param size connections
 * @param overloaded whether the undisturbed holds alone keep all of them at work
 * @param basis whether these are figures or bounds
 */
record SimulatedPool(
    Rate rate, Duration hold, Map<Cause, Double> added, int size, boolean overloaded, Basis basis) {

  /** Copies the map. */
  public SimulatedPool {
    added = Collections.unmodifiableMap(new LinkedHashMap<>(added));
  }

  /** Absent where rate, hold or size are not known, or make a model that cannot run. */
  static Optional<SimulatedPool> of(Incident incident, Optional<LongerHolds> longer) {
    return PoolDemand.Figures.of(incident)
        .map(figures -> of(incident, figures, longer))
        // Bounds that add up to an overload say nothing; exact figures that do, say it all.
        .filter(pool -> pool.basis == Basis.FIGURES || !pool.overloaded)
        .filter(
            pool ->
                RequestModel.canRun(
                    pool.rate.perSecond(),
                    pool.size,
                    pool.longestHold(),
                    incident.window().length()));
  }

  private static SimulatedPool of(
      Incident incident, PoolDemand.Figures figures, Optional<LongerHolds> longer) {
    Duration needed = needed(incident, figures.hold().value(), longer);
    return new SimulatedPool(
        figures.rate().value(),
        needed,
        added(incident, needed, longer),
        figures.size().value(),
        figures.use() >= 1,
        figures.exact() ? Basis.FIGURES : Basis.BOUNDS);
  }

  /** A hold of the incident itself has the work in it that needs no connection. */
  private static Duration needed(Incident incident, Duration hold, Optional<LongerHolds> longer) {
    double unrelated = longer.map(holds -> holds.share(Cause.UNRELATED)).orElse(0.0);
    return incident.baseline().isPresent() || unrelated <= 0
        ? hold
        : Durations.ofSeconds(Durations.seconds(hold) * (1 - unrelated));
  }

  /** By how much a hold became longer than the undisturbed one, in seconds by cause. */
  private static Map<Cause, Double> added(
      Incident incident, Duration hold, Optional<LongerHolds> longer) {
    double slower = Durations.seconds(hold) * (DownstreamCalls.inflation(incident) - 1);
    if (longer.isEmpty()) {
      return slower > 0 ? Map.of(Cause.ANSWERS, slower) : Map.of();
    }
    Map<Cause, Double> added = new EnumMap<>(Cause.class);
    added.putAll(longer.get().seconds());
    // A throttled recording shows but a part of the calls of a hold, and their mean as it is.
    added.computeIfPresent(Cause.ANSWERS, (cause, seen) -> Math.max(seen, slower));
    return added;
  }

  private Duration longestHold() {
    return hold.plus(Durations.ofSeconds(Numbers.sum(added)));
  }

  /** What the simulation makes of the waiting, unless what was observed refutes it. */
  Optional<PoolWaitSplit> credible(Incident incident, double observedSeconds) {
    PoolWaitSplit model = split(incident, observedSeconds);
    return overloaded || Policy.SUBSTANTIAL * model.simulatedSeconds() <= observedSeconds
        ? Optional.of(model)
        : Optional.empty();
  }

  private PoolWaitSplit split(Incident incident, double observed) {
    Window window = incident.window();
    Duration threshold = incident.timeline().threshold(Signal.THREAD_PARKS).orElse(Duration.ZERO);
    List<Stall> stalls = PausesAlone.stalls(incident.timeline().pauses(window), window);
    Duration longer = longestHold();
    double plain = waits(hold, window, List.of(), threshold);
    double inflated = longer.equals(hold) ? plain : waits(longer, window, List.of(), threshold);
    double all = waits(longer, window, stalls, threshold);
    double scale = 1 / Math.max(observed, all);
    Map<Cause, Double> byLongerHolds =
        PoolWaitSplit.each(
            PoolWaitSplit.inProportion(added),
            part -> part * Math.max(0, inflated - plain) * scale);
    return new PoolWaitSplit(
        observed, plain * scale, byLongerHolds, Math.max(0, all - inflated) * scale, basis, all);
  }

  /**
   * Simulated waiting in seconds that a recording with this threshold would show. Hold times of
   * queries spread about as an exponential distribution does, or less.
   */
  private double waits(Duration held, Window window, List<Stall> stalls, Duration threshold) {
    RequestModel model =
        RequestModel.ofPool(
            rate.perSecond(), size, new HoldTime.Exponential(held), window.length(), stalls);
    return LongStream.range(RequestSimulation.SEED, RequestSimulation.SEED + RequestSimulation.RUNS)
        .mapToObj(seed -> RequestSimulation.run(model, seed).waits().observedAbove(threshold))
        .mapToDouble(observed -> Durations.seconds(observed.total()))
        .average()
        .orElseThrow();
  }
}
