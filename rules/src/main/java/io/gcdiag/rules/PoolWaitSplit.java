package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.DownstreamCalls;
import io.gcdiag.ledger.PoolMeters;
import io.gcdiag.ledger.UserWaits;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.PoolModel;
import io.gcdiag.queueing.PoolRuns;
import io.gcdiag.queueing.PoolSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.rules.LongerHolds.Cause;
import io.gcdiag.rules.PoolDemand.Known;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Why borrowers waited: what the pool's size accounts for, what lengthened the holds, what the
 * pauses.
 *
 * <p>Waits that fell into moments in which all connections were seen at work ({@link
 * PoolSaturation}) are the size's doing, or that of what lengthened the holds if connections are
 * held longer than before. What is left is asked of a model.
 *
 * <p>Who lengthened the holds is told by the holders' own time ({@link LongerHolds}); where that is
 * not known, by how much longer calls take than in the calm.
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
record PoolWaitSplit(
    double observedSeconds,
    double bySize,
    Map<Cause, Double> byLongerHolds,
    double byStalls,
    Basis basis,
    double simulatedSeconds) {

  /** Copies the map. */
  PoolWaitSplit {
    byLongerHolds = Map.copyOf(byLongerHolds);
  }

  /** What the shares rest on, weakest first. */
  enum Basis {
    /** Waits and pauses that go together in time. */
    COINCIDENCE,
    /**
     * A simulation with a longest possible hold time or a smallest possible pool: it waits more
     * than the real pool, so that its shares are upper limits.
     */
    BOUNDS,
    /** A simulation with figures that are known. */
    FIGURES
  }

  /** Enough that the mean does not hang on one stream of arrivals, few enough to be quick. */
  private static final int RUNS = 5;

  /** A model that produces more than this many times the waiting observed is refuted by it. */
  private static final double CREDIBLE = 4;

  /** Means of some hundred calls vary by less. */
  private static final double CLEARLY_LONGER = 1.5;

  /** The same stream of arrivals on every run of the program. */
  private static final long SEED = 20_011;

  static Optional<PoolWaitSplit> of(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    List<WaitSeries> series = UserWaits.of(timeline, WaitKind.POOL);
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
            left * rest.bySize() + saturated * Math.max(0, 1 - sum(atWork)),
            byLongerHolds,
            left * rest.byStalls(),
            rest.basis(),
            rest.simulatedSeconds()));
  }

  /**
   * What lengthened the holds while all connections were at work; empty if nothing did. Without a
   * calm the rest of a hold is what it needs, and that keeps others waiting too.
   */
  private static Map<Cause, Double> longerWhileAtWork(
      Incident incident, Optional<LongerHolds> longer) {
    if (longer.filter(LongerHolds::clearly).isPresent()) {
      boolean allSaid =
          incident.windows().baseline().isPresent() || longer.get().share(Cause.UNRELATED) <= 0;
      return allSaid ? inProportion(longer.get().seconds()) : longer.get().shares();
    }
    boolean slower = longer.isEmpty() && DownstreamCalls.inflation(incident) > 1;
    return slower || heldLonger(incident) ? Map.of(Cause.ANSWERS, 1.0) : Map.of();
  }

  private static Map<Cause, Double> inProportion(Map<Cause, Double> parts) {
    double all = parts.values().stream().mapToDouble(Double::doubleValue).sum();
    Map<Cause, Double> shares = new EnumMap<>(Cause.class);
    parts.forEach((cause, part) -> shares.put(cause, part / all));
    return shares;
  }

  /** The share of one thing that lengthened the holds. */
  double by(Cause cause) {
    return byLongerHolds.getOrDefault(cause, 0.0);
  }

  /** Whether the pool's own meters say that its connections, all at work, are held for longer. */
  private static boolean heldLonger(Incident incident) {
    Optional<PoolMeters> meters = PoolMeters.of(incident.timeline());
    Optional<Duration> during = meters.flatMap(pool -> pool.hold(incident.windows().incident()));
    Optional<Duration> before =
        meters.flatMap(pool -> incident.windows().baseline().flatMap(pool::hold));
    return during.isPresent()
        && before.isPresent()
        && Durations.seconds(during.get()) >= CLEARLY_LONGER * Durations.seconds(before.get());
  }

  /** Whether a queue was simulated. */
  boolean simulated() {
    return basis != Basis.COINCIDENCE;
  }

  /** Waits while connections were free or not seen to be at work. */
  private static PoolWaitSplit ofTheRest(
      Incident incident, double observed, List<WaitSeries> series, Optional<LongerHolds> longer) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    Window usual = incident.windows().baseline().orElse(window);
    Optional<Known<Rate>> rate = PoolDemand.rate(timeline, window);
    Optional<Known<Duration>> hold =
        PoolDemand.hold(timeline, usual).or(() -> PoolDemand.hold(timeline, window));
    Optional<Known<Integer>> size = PoolDemand.size(timeline, window);
    if (rate.isPresent() && hold.isPresent() && size.isPresent()) {
      double load = PoolDemand.concurrency(rate.get().value(), hold.get().value());
      boolean exact = hold.get().bound().isEmpty() && size.get().bound().isEmpty();
      // Bounds that add up to an overload say nothing; exact figures that do, say it all.
      Duration needed = needed(incident, hold.get().value(), longer);
      Map<Cause, Double> added = added(incident, needed, longer);
      Duration longest = needed.plus(Durations.ofSeconds(sum(added)));
      boolean feasible =
          PoolModel.canRun(
              rate.get().value().perSecond(), size.get().value(), longest, window.length());
      if (feasible && (exact || load < size.get().value())) {
        PoolWaitSplit model =
            simulate(
                incident,
                observed,
                rate.get().value(),
                needed,
                added,
                size.get().value(),
                exact ? Basis.FIGURES : Basis.BOUNDS);
        boolean overload = load >= size.get().value();
        if (overload || model.simulatedSeconds() <= CREDIBLE * observed) {
          return model;
        }
      }
    }
    double stalls = StallCoincidence.fraction(series, timeline.pauses(window), window);
    Map<Cause, Double> held = new EnumMap<>(Cause.class);
    longer.ifPresent(
        holds ->
            holds
                .seconds()
                .keySet()
                .forEach(cause -> held.put(cause, (1 - stalls) * holds.share(cause))));
    return new PoolWaitSplit(observed, 0, held, stalls, Basis.COINCIDENCE, 0);
  }

  /** A hold of the incident itself has the work in it that needs no connection. */
  private static Duration needed(Incident incident, Duration hold, Optional<LongerHolds> longer) {
    double unrelated = longer.map(holds -> holds.share(Cause.UNRELATED)).orElse(0.0);
    return incident.windows().baseline().isPresent() || unrelated <= 0
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

  private static double sum(Map<Cause, Double> parts) {
    return parts.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  private static PoolWaitSplit simulate(
      Incident incident,
      double observed,
      Rate rate,
      Duration hold,
      Map<Cause, Double> added,
      int size,
      Basis basis) {
    Window window = incident.windows().incident();
    Duration threshold =
        incident.timeline().coverage().of(Signal.THREAD_PARKS).threshold().orElse(Duration.ZERO);
    List<Stall> stalls =
        incident.timeline().pauses(window).stream()
            .map(p -> new Stall(Duration.between(window.from(), p.start()), p.duration()))
            .toList();
    Duration longer = hold.plus(Durations.ofSeconds(sum(added)));
    double plain = waits(rate, hold, size, window, List.of(), threshold);
    double inflated =
        longer.equals(hold) ? plain : waits(rate, longer, size, window, List.of(), threshold);
    double all = waits(rate, longer, size, window, stalls, threshold);
    double scale = 1 / Math.max(observed, all);
    Map<Cause, Double> byLongerHolds = new EnumMap<>(Cause.class);
    inProportion(added)
        .forEach(
            (cause, part) ->
                byLongerHolds.put(cause, part * Math.max(0, inflated - plain) * scale));
    return new PoolWaitSplit(
        observed, plain * scale, byLongerHolds, Math.max(0, all - inflated) * scale, basis, all);
  }

  /**
   * Simulated waiting in seconds that a recording with this threshold would show. Hold times of
   * queries spread about as an exponential distribution does, or less.
   */
  private static double waits(
      Rate rate, Duration hold, int size, Window window, List<Stall> stalls, Duration threshold) {
    PoolModel model =
        new PoolModel(
            PoolModel.Arrivals.POISSON,
            rate.perSecond(),
            size,
            new HoldTime.Exponential(hold),
            window.length(),
            stalls);
    PoolRuns runs = PoolSimulation.run(model, RUNS, SEED);
    return runs.ofSeconds(run -> run.waits().observedAbove(threshold).total()).mean();
  }

  /** The same as shares of all waiting, of which events show but a part. */
  PoolWaitSplit of(double part) {
    Map<Cause, Double> held = new EnumMap<>(Cause.class);
    byLongerHolds.forEach((cause, share) -> held.put(cause, share * part));
    return new PoolWaitSplit(
        observedSeconds, bySize * part, held, byStalls * part, basis, simulatedSeconds);
  }

  /** What none of the three accounts for. */
  double rest() {
    return Math.max(0, 1 - bySize - sum(byLongerHolds) - byStalls);
  }
}
