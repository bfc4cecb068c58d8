package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.DownstreamCalls;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.PoolModel;
import io.gcdiag.queueing.PoolRuns;
import io.gcdiag.queueing.PoolSimulation;
import io.gcdiag.queueing.Stall;
import io.gcdiag.rules.PoolDemand.Known;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Why borrowers waited: what the pool's size accounts for, what slower answers, what the pauses.
 *
 * <p>Waits that fell into moments in which all connections were seen at work ({@link
 * PoolSaturation}) are the size's doing, or that of slower answers if calls take longer than
 * before. What is left is asked of a model.
 *
 * <p>Where rate, hold time and size are known or bounded, the pool is simulated three times over
 * the incident window: with the undisturbed hold time, with the hold time that slower answers led
 * to, and with the pauses at their recorded moments. What each adds to the simulated waits, against
 * the waits observed, is its share; what the simulation does not produce is not explained. Without
 * those figures coincidence of waits and pauses in time is left, and is said to be no more.
 *
 * @param observedSeconds waiting observed in the window, as far as the recording's threshold shows
 * @param bySize share that the size accounts for, 0 to 1
 * @param byDownstream share of slower answers
 * @param byStalls share of the pauses
 * @param basis what the shares rest on
 * @param simulatedSeconds waiting that the last simulation produced, of the same kind as observed
 */
record PoolWaitSplit(
    double observedSeconds,
    double bySize,
    double byDownstream,
    double byStalls,
    Basis basis,
    double simulatedSeconds) {

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
    List<WaitSeries> series = EffectTimes.userWaits(timeline, WaitKind.POOL);
    double observed =
        series.stream().mapToDouble(s -> s.within(window).total().toNanos() / 1e9).sum();
    if (observed <= 0) {
      return Optional.empty();
    }
    double saturated = PoolSaturation.share(incident);
    PoolWaitSplit rest = ofTheRest(incident, observed, series);
    boolean slower = DownstreamCalls.inflation(incident) > 1 || heldLonger(incident);
    double left = 1 - saturated;
    return Optional.of(
        new PoolWaitSplit(
            observed,
            left * rest.bySize() + (slower ? 0 : saturated),
            left * rest.byDownstream() + (slower ? saturated : 0),
            left * rest.byStalls(),
            rest.basis(),
            rest.simulatedSeconds()));
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
      Incident incident, double observed, List<WaitSeries> series) {
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
      Duration longest = slower(incident, hold.get().value());
      boolean feasible =
          PoolModel.canRun(
              rate.get().value().perSecond(), size.get().value(), longest, window.length());
      if (feasible && (exact || load < size.get().value())) {
        PoolWaitSplit model =
            simulate(
                incident,
                observed,
                rate.get().value(),
                hold.get().value(),
                size.get().value(),
                exact ? Basis.FIGURES : Basis.BOUNDS);
        boolean overload = load >= size.get().value();
        if (overload || model.simulatedSeconds() <= CREDIBLE * observed) {
          return model;
        }
      }
    }
    double stalls = StallCoincidence.fraction(series, timeline.pauses(window), window);
    return new PoolWaitSplit(observed, 0, 0, stalls, Basis.COINCIDENCE, 0);
  }

  private static PoolWaitSplit simulate(
      Incident incident, double observed, Rate rate, Duration hold, int size, Basis basis) {
    Window window = incident.windows().incident();
    Duration threshold =
        incident.timeline().coverage().of(Signal.THREAD_PARKS).threshold().orElse(Duration.ZERO);
    List<Stall> stalls =
        incident.timeline().pauses(window).stream()
            .map(p -> new Stall(Duration.between(window.from(), p.start()), p.duration()))
            .toList();
    Duration slower = slower(incident, hold);
    double plain = waits(rate, hold, size, window, List.of(), threshold);
    double inflated =
        slower.equals(hold) ? plain : waits(rate, slower, size, window, List.of(), threshold);
    double all = waits(rate, slower, size, window, stalls, threshold);
    double scale = 1 / Math.max(observed, all);
    return new PoolWaitSplit(
        observed,
        plain * scale,
        Math.max(0, inflated - plain) * scale,
        Math.max(0, all - inflated) * scale,
        basis,
        all);
  }

  /** The hold time that slower answers led to. */
  private static Duration slower(Incident incident, Duration hold) {
    return Durations.ofSeconds(Durations.seconds(hold) * DownstreamCalls.inflation(incident));
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

  /** What none of the three accounts for. */
  double rest() {
    return Math.max(0, 1 - bySize - byDownstream - byStalls);
  }
}
