package io.gcdiag.causes.pool;

import io.gcdiag.causes.pool.LongerHolds.Cause;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.threads.ConnectionsInUse;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.StallCoincidence;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.RequestSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.LongStream;

/**
 * Why borrowers waited: what the pool's size accounts for, what lengthened the holds, what the
 * pauses.
 *
 * <p>Waits that fell into moments in which all connections were seen at work ({@link
 * PoolSaturation}) are due to the size, or to what lengthened the holds if connections are held
 * longer than before. What is left is asked of a model.
 *
 * <p>The holders' own time shows who lengthened the holds ({@link LongerHolds}); where that is not
 * known, by how much longer calls take than in the baseline.
 *
 * <p>Where rate, hold time and size are known or bounded, the pool is simulated three times over
 * the incident window: with the undisturbed hold time, with the hold time as it became, and with
 * the pauses at their recorded moments. What each adds to the simulated waits, against the waits
 * observed, is its share; what the simulation does not produce is not explained. Without those
 * figures coincidence of waits and pauses in time is left, and is said to be no more; of the other
 * waits longer holds take the share that they have of a hold, because a line moves as fast as those
 * in front of it come back.
 *
 * @param observedSeconds waiting observed in the window, as far as the recording's threshold shows
 * @param bySize share that the size accounts for, 0 to 1
 * @param byLongerHolds shares of what lengthened the holds
 * @param byStalls share of the pauses
 * @param basis what the shares rest on
 * @param simulatedSeconds waiting that the last simulation produced, of the same kind as observed
 */
public record PoolWaitSplit(
    double observedSeconds,
    double bySize,
    Map<Cause, Double> byLongerHolds,
    double byStalls,
    Basis basis,
    double simulatedSeconds) {

  /** What the shares rest on, weakest first. */
  enum Basis {
    /** Waits and pauses that go together in time. */
    COINCIDENCE("they coincide: not enough data to simulate", "pauses coincide with"),
    /**
     * A simulation with a longest possible hold time or a smallest possible pool: it waits more
     * than the real pool, so that its shares are upper limits.
     */
    BOUNDS(
        "at most: simulated with an estimated pool",
        "simulated with an estimated pool, pauses produce at most"),
    /** A simulation with figures that are known. */
    FIGURES("simulated queue", "simulated, pauses produce");

    private final String title;
    private final String pauses;

    Basis(String title, String pauses) {
      this.title = title;
      this.pauses = pauses;
    }

    /** What stands in brackets after a share. */
    String title() {
      return title;
    }

    /** What precedes the share of the pauses. */
    String pauses() {
      return pauses;
    }
  }

  static Optional<PoolWaitSplit> of(Incident incident) {
    Window window = incident.window();
    List<WaitSeries> series = UserWaits.of(incident.timeline(), WaitKind.POOL);
    double observed =
        series.stream().mapToDouble(s -> s.within(window).total().toNanos() / 1e9).sum();
    if (observed <= 0) {
      return Optional.empty();
    }
    Optional<LongerHolds> longer =
        HoldersTime.of(incident).map(holders -> LongerHolds.of(incident, holders));
    double saturated = PoolSaturation.share(incident);
    PoolWaitSplit rest = ofTheRest(incident, observed, series, longer);
    Map<Cause, Double> atWork = longerWhileAtWork(incident, longer);
    double left = 1 - saturated;
    Map<Cause, Double> byLongerHolds = new EnumMap<>(Cause.class);
    for (Cause cause : Cause.values()) {
      double share = left * rest.by(cause) + saturated * atWork.getOrDefault(cause, 0.0);
      if (share > 0) {
        byLongerHolds.put(cause, share);
      }
    }
    return Optional.of(
        new PoolWaitSplit(
            observed,
            left * rest.bySize() + saturated * Math.max(0, 1 - Numbers.sum(atWork)),
            byLongerHolds,
            left * rest.byStalls(),
            rest.basis(),
            rest.simulatedSeconds()));
  }

  /**
   * What lengthened the holds while all connections were at work; empty if nothing did. Without a
   * baseline the rest of a hold is what it needs, and that keeps others waiting too.
   */
  private static Map<Cause, Double> longerWhileAtWork(
      Incident incident, Optional<LongerHolds> longer) {
    if (ConnectionsInUse.areMostlyNested(incident.timeline())) {
      return Map.of();
    }
    if (longer.filter(LongerHolds::clearly).isPresent()) {
      boolean allSaid = incident.baseline().isPresent() || longer.get().share(Cause.UNRELATED) <= 0;
      return allSaid ? inProportion(longer.get().seconds()) : longer.get().shares();
    }
    boolean slower = longer.isEmpty() && DownstreamCalls.inflation(incident) > 1;
    return slower || heldLonger(incident) ? Map.of(Cause.ANSWERS, 1.0) : Map.of();
  }

  static Map<Cause, Double> inProportion(Map<Cause, Double> parts) {
    double all = Numbers.sum(parts);
    return each(parts, part -> part / all);
  }

  static Map<Cause, Double> each(Map<Cause, Double> parts, DoubleUnaryOperator becomes) {
    Map<Cause, Double> all = new EnumMap<>(Cause.class);
    parts.forEach((cause, part) -> all.put(cause, becomes.applyAsDouble(part)));
    return all;
  }

  /** The share of one thing that lengthened the holds. */
  double by(Cause cause) {
    return byLongerHolds.getOrDefault(cause, 0.0);
  }

  /**
   * Whether borrowers wait because calls on the connections keep them for longer than in the
   * baseline: by the holders' own time, or by the pool's meters where all connections are at work.
   */
  public static boolean longerCalls(Incident incident) {
    if (UserWaits.of(incident.timeline(), WaitKind.POOL).isEmpty()) {
      return false;
    }
    Optional<LongerHolds> longer =
        HoldersTime.of(incident).map(holders -> LongerHolds.of(incident, holders));
    return longer.filter(LongerHolds::clearly).isPresent()
        ? longer.get().share(Cause.ANSWERS) > 0
        : heldLonger(incident) && PoolSaturation.share(incident) > 0;
  }

  /** Whether the pool's own meters say that its connections, all at work, are held for longer. */
  private static boolean heldLonger(Incident incident) {
    Optional<PoolMeters> meters = PoolMeters.of(incident.timeline());
    Optional<Duration> during = meters.flatMap(pool -> pool.hold(incident.window()));
    Optional<Duration> before = meters.flatMap(pool -> pool.usualHold(incident));
    return during.isPresent()
        && before.isPresent()
        && Durations.seconds(during.get()) >= Policy.CLEARLY_MORE * Durations.seconds(before.get());
  }

  boolean simulated() {
    return basis != Basis.COINCIDENCE;
  }

  /**
   * Whether the simulation makes at least half of the waiting that the size accounts for. Where all
   * connections were seen at work the size accounts for more than a model that does not know it.
   */
  boolean isReproduced() {
    return simulatedSeconds >= Policy.MAJORITY * bySize * observedSeconds;
  }

  /** Waits while connections were free or not seen busy. */
  private static PoolWaitSplit ofTheRest(
      Incident incident, double observed, List<WaitSeries> series, Optional<LongerHolds> longer) {
    Optional<PoolWaitSplit> model =
        SimulatedPool.of(incident, longer).flatMap(pool -> pool.credible(incident, observed));
    if (model.isPresent()) {
      return model.get();
    }
    double stalls = StallCoincidence.fraction(series, incident);
    Map<Cause, Double> held =
        longer.map(holds -> each(holds.shares(), share -> (1 - stalls) * share)).orElse(Map.of());
    return new PoolWaitSplit(observed, 0, held, stalls, Basis.COINCIDENCE, 0);
  }

  /** The same as shares of all waiting; events show only part of it. */
  PoolWaitSplit of(double part) {
    Map<Cause, Double> held = each(byLongerHolds, share -> share * part);
    return new PoolWaitSplit(
        observedSeconds, bySize * part, held, byStalls * part, basis, simulatedSeconds);
  }

  /** The rest that none of the three explains. */
  double rest() {
    return Math.max(0, 1 - bySize - Numbers.sum(byLongerHolds) - byStalls);
  }

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
  private record SimulatedPool(
      Rate rate,
      Duration hold,
      Map<Cause, Double> added,
      int size,
      boolean overloaded,
      Basis basis) {

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
      return LongStream.range(
              RequestSimulation.SEED, RequestSimulation.SEED + RequestSimulation.RUNS)
          .mapToObj(seed -> RequestSimulation.run(model, seed).waits().observedAbove(threshold))
          .mapToDouble(observed -> Durations.seconds(observed.total()))
          .average()
          .orElseThrow();
    }
  }
}
