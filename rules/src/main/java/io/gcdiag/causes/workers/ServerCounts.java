package io.gcdiag.causes.workers;

import io.gcdiag.books.CauseRemoved;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Latency;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Prediction.Quantity;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.RequestStats;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.jvm.UndisturbedLatency;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.ClosedLoop;
import io.gcdiag.queueing.HoldTime;
import io.gcdiag.queueing.RequestModel;
import io.gcdiag.queueing.Stall;
import io.gcdiag.queueing.Times;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Halving;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.function.ToDoubleFunction;

/** Predicts waits and latency with more connections or threads. */
public final class ServerCounts {

  /** The 99th percentile of an exponential distribution divided by its mean: ln(100). */
  private static final double EXPONENTIAL_TAIL = Math.log(100);

  /**
   * Lower bound of the hold time as a share of the computed one. The fastest request may be of
   * another kind. A hold time from the rate of a whole test is too long, as the baseline had less
   * load; by a factor of two at most, or it would not count as one test.
   */
  private static final double LEAST_HOLD = 0.5;

  /** Enough requests for a stable 99th percentile. */
  private static final double MOST_REQUESTS = 100_000;

  /** A number this many times the load has no waits worth simulating. */
  private static final int MOST_TRIED = 4;

  /** The same for calls in a closed loop, where each number is simulated twice. */
  private static final int CLOSED_CALLS = 20_000;

  /** An arbitrary constant, so that results are reproducible. */
  private static final long SEED = 1;

  private final MeasuredIncident incident;
  private final Hypothesis hypothesis;
  private final ScarceServers servers;
  private final Optional<Closed> closed;

  public ServerCounts(MeasuredIncident incident, Hypothesis hypothesis, ScarceServers servers) {
    this.incident = incident;
    this.hypothesis = hypothesis;
    this.servers = servers;
    this.closed = closed(incident, servers);
  }

  /**
   * The smallest number at which no more than one request in a hundred waits longer than it holds
   * one, so that a request seldom takes twice its normal time.
   */
  int wanted() {
    int least =
        closed.isPresent()
            ? servers.now() + 1
            : Math.max(servers.now() + 1, (int) Math.floor(servers.load()) + 1);
    int most =
        Math.max(
            least, closed.map(Closed::users).orElse((int) Math.ceil(MOST_TRIED * servers.load())));
    double hold = servers.hold().toNanos();
    return (int) Halving.first(least, most, count -> waits((int) count).high() <= hold);
  }

  /**
   * How many connections or threads there should be.
   *
   * @param now their present number
   * @param wanted the smallest number at which hardly any request waits longer than it holds one
   * @param load number in use, on average
   */
  public record Wanted(int now, int wanted, double load) {

    /**
     * The reason for the number, for people.
     *
     * @param what connections or threads
     */
    public String demand(String what) {
      // The rate counts only requests that were served, not those still in the queue.
      return ("the demand needs at least %s %s on average; with %s hardly any request waits"
              + " longer than it holds one")
          .formatted(Numbers.threeDigits(load), what, wanted);
    }
  }

  /** The recommended number; empty if the model does not reproduce the present queue. */
  public Optional<Wanted> credible() {
    return refutation().isEmpty()
        ? Optional.of(new Wanted(servers.now(), wanted(), servers.load()))
        : Optional.empty();
  }

  /** Predictions for that number; for the latency without the cause if the numbers are unknown. */
  public static List<Prediction> predictions(
      Optional<ServerCounts> counts, CauseRemoved otherwise) {
    return counts
        .map(
            known ->
                known
                    .refutation()
                    .map(why -> List.of(otherwise.refused(why)))
                    .orElseGet(() -> known.at(known.wanted())))
        .orElseGet(() -> List.of(otherwise.latency()));
  }

  public List<Prediction> at(int count) {
    String change = servers.change(count);
    boolean bounded = closed.isPresent();
    boolean enoughForAll = servers.users().isPresent() && count >= servers.users().getAsInt();
    if (!enoughForAll && !bounded && servers.load() >= count) {
      return List.of(
          prediction(
              change,
              Optional.empty(),
              "the queue would still grow: "
                  + Numbers.threeDigits(servers.load())
                  + " are needed on average"));
    }
    Estimate waits = enoughForAll ? new Estimate(0, 0) : waits(count);
    return List.of(
        prediction(change, Optional.of(waits.stated()), basis()), latency(change, waits));
  }

  private String basis() {
    if (closed.isPresent()) {
      return ("simulated as a closed loop of %s callers, each of which sends its next call"
              + " %s after a response; a call holds one for %s on average, distribution from"
              + " constant to exponential")
          .formatted(
              closed.get().users(),
              Durations.format(closed.get().think()),
              Durations.format(servers.hold()));
    }
    return ("simulated with the recorded pauses: %s/s, each held %s on average,"
            + " distribution from constant to exponential%s")
        .formatted(
            Numbers.threeDigits(servers.perSecond()),
            Durations.format(servers.hold()),
            spread().isPresent() ? ", most likely that of the calls" : "");
  }

  /**
   * Estimate over hold time distributions from constant to exponential, in nanoseconds; the most
   * likely one is that of the calls made while holding.
   */
  private Estimate waits(int count) {
    Estimate range =
        Estimate.of(
            wait(count, new HoldTime.Fixed(servers.hold())),
            wait(count, new HoldTime.Exponential(servers.hold())));
    OptionalDouble spread = spread();
    if (spread.isEmpty()) {
      return range;
    }
    Duration tail = Durations.ofSeconds(spread.getAsDouble() * Durations.seconds(servers.hold()));
    double likely = wait(count, HoldTime.LogNormal.of(servers.hold(), tail));
    return new Estimate(
        range.low(), Math.max(range.low(), Math.min(range.high(), likely)), range.high());
  }

  /** The 99th percentile of a hold divided by its usual length, if the calls in it show it. */
  private OptionalDouble spread() {
    return DownstreamCalls.spread(incident.timeline(), incident.window()).stream()
        .filter(spread -> spread >= 1 && spread < EXPONENTIAL_TAIL)
        .findFirst();
  }

  /**
   * The users of a closed load model, if no pause stops them all. Their number limits the queue,
   * and the rate depends on the response times.
   */
  private static Optional<Closed> closed(Incident incident, ScarceServers servers) {
    Optional<Duration> mean = incident.timeline().mainRequestStats().flatMap(RequestStats::mean);
    Optional<Rate> rate = RequestRate.of(incident.timeline(), incident.window());
    boolean known = servers.users().isPresent() && mean.isPresent() && rate.isPresent();
    if (!known || !ScarceServers.pauses(incident).isEmpty()) {
      return Optional.empty();
    }
    int users = servers.users().getAsInt();
    return Optional.of(
        new Closed(users, ClosedLoop.think(users, rate.get().perSecond(), mean.get())));
  }

  private record Closed(int users, Duration think) {}

  private double wait(int count, HoldTime hold) {
    return times(count, servers.perSecond(), hold, incident.window())
        .quantile(PausesAlone.TAIL)
        .toNanos();
  }

  private Times times(int count, double perSecond, HoldTime hold, Window window) {
    if (closed.isPresent()) {
      return ClosedLoop.waits(
          closed.get().users(), closed.get().think(), count, hold, CLOSED_CALLS, SEED);
    }
    Duration horizon = horizon(perSecond, window);
    List<Stall> stalls =
        PausesAlone.stalls(incident.timeline().pauses(window), window).stream()
            .filter(stall -> stall.start().compareTo(horizon) < 0)
            .toList();
    return PausesAlone.run(
            new Rate(perSecond), OptionalInt.of(count), hold, RequestModel.NOTHING, horizon, stalls)
        .waits();
  }

  private static Duration horizon(double perSecond, Window window) {
    return Durations.ofSeconds(Math.min(window.seconds(), MOST_REQUESTS / perSecond));
  }

  /**
   * Why the model is wrong, for people: with the present number it gives less than half or more
   * than twice the average queue that the files show, in the incident or in the baseline. Empty if
   * it matches, or if nothing shows the queue.
   */
  public Optional<String> refutation() {
    if (servers.kind() != ScarceServers.Kind.CONNECTIONS) {
      // The queue for threads is known as a lower bound only.
      double queued = incident.workerQueue().map(WorkerQueue::waiting).orElse(0.0);
      return tooFew("incident", queued, waiting(servers.perSecond(), incident.window()));
    }
    EffectTimes times = incident.effects();
    return times.during(Effect.POOL_WAIT) <= 0
        ? Optional.empty()
        : refutation("incident", times::during, servers.perSecond(), incident.window())
            .or(
                () ->
                    servers.perSecondBefore().isEmpty()
                        ? Optional.empty()
                        : refutation(
                            "baseline",
                            effect -> times.before(effect).orElse(0),
                            servers.perSecondBefore().getAsDouble(),
                            incident.baseline().orElseThrow()));
  }

  /**
   * All simulated requests queue for a connection. Of the recorded ones, no more do than there are
   * threads: the others wait for a thread, and the ledger has the waits without the pauses in them.
   */
  private Optional<String> refutation(
      String when, ToDoubleFunction<Effect> threads, double perSecond, Window window) {
    Estimate made = waiting(perSecond, window);
    double seen = threads.applyAsDouble(Effect.POOL_WAIT);
    double most =
        seen + threads.applyAsDouble(Effect.WORKER_WAIT) + threads.applyAsDouble(Effect.STOPPED);
    // A queue that grows throughout the simulation is in reality limited by its callers.
    boolean grows =
        closed.isEmpty() && perSecond * Durations.seconds(servers.hold()) >= servers.now();
    boolean queues = seen >= Policy.LEAST_THREADS_FELT;
    return Policy.MAJORITY * made.low() > Math.max(most, Policy.LEAST_THREADS_FELT)
            && !(grows && queues)
        ? Optional.of(refuted(when, most, made.low()))
        : tooFew(when, seen, made);
  }

  private Optional<String> tooFew(String when, double seen, Estimate made) {
    return seen >= Policy.LEAST_THREADS_FELT && made.high() < Policy.MAJORITY * seen
        ? Optional.of(refuted(when, seen, made.high()))
        : Optional.empty();
  }

  private String refuted(String when, double seen, double made) {
    return "a model of the present %s does not reproduce the %s: %s wait on average, by the model %s"
        .formatted(
            servers.now() + " " + servers.kind().words(),
            when,
            Numbers.threeDigits(seen),
            Numbers.threeDigits(made));
  }

  /** The average queue with the present number, as a recording would show it. */
  private Estimate waiting(double perSecond, Window window) {
    return Estimate.of(
        waiting(perSecond, window, new HoldTime.Fixed(servers.hold())),
        waiting(perSecond, window, new HoldTime.Exponential(servers.hold())));
  }

  private double waiting(double perSecond, Window window, HoldTime hold) {
    Times waits = times(servers.now(), perSecond, hold, window);
    if (closed.isPresent()) {
      double wait = Durations.seconds(waits.observedAbove(Duration.ZERO).total()) / waits.count();
      double round =
          wait + Durations.seconds(hold.mean()) + Durations.seconds(closed.get().think());
      return closed.get().users() * wait / round;
    }
    return Durations.seconds(waits.observedAbove(threshold()).total())
        / Durations.seconds(horizon(perSecond, window));
  }

  /** Events show only waits above their threshold. */
  private Duration threshold() {
    Timeline timeline = incident.timeline();
    return UserWaits.of(timeline, WaitKind.POOL).isEmpty()
        ? Duration.ZERO
        : timeline.threshold(Signal.THREAD_PARKS).orElse(Duration.ZERO);
  }

  private Prediction latency(String change, Estimate waits) {
    Optional<UndisturbedLatency> baseline =
        UndisturbedLatency.of(incident, 1).filter(UndisturbedLatency::isMeasured);
    double hold = servers.hold().toNanos();
    double fastest =
        incident
            .timeline()
            .mainRequestStats()
            .flatMap(RequestStats::shortest)
            .map(shortest -> (double) shortest.toNanos())
            .orElse(hold);
    double low =
        baseline
            .map(c -> (double) c.atLeast(PausesAlone.TAIL).toNanos())
            .orElseGet(() -> Math.max(fastest, LEAST_HOLD * hold));
    double high =
        baseline
            .map(c -> (double) c.atMost(PausesAlone.TAIL).toNanos())
            .orElseGet(() -> Math.max(fastest, hold) + (EXPONENTIAL_TAIL - 1) * hold);
    return atMostNow(
        Latency.prediction(
            incident,
            hypothesis,
            change,
            Latency.now(incident),
            likely(
                // The slowest requests need not be those that wait longest. The high end, where
                // they
                // are, is beyond what two runs differ by.
                Estimate.of(
                    CauseRemoved.LESS_IN_ANOTHER_RUN * Math.max(low, waits.low()),
                    high + waits.high()),
                baseline,
                waits),
            "that wait plus "
                + baseline
                    .map(UndisturbedLatency::basis)
                    .orElse("the fastest request with a hold from the mean to the 99th percentile"),
            assumptions()));
  }

  /**
   * A request lasts at least as long as it holds one, so its latency is an upper bound of the hold
   * time; and more of them make no wait longer.
   */
  private Prediction atMostNow(Prediction latency) {
    OptionalDouble now = Latency.ofIncident(incident);
    return now.isEmpty()
        ? latency
        : latency.withRange(
            latency
                .range()
                .filter(range -> range.low() <= now.getAsDouble())
                .map(range -> range.upTo(now.getAsDouble())));
  }

  /**
   * If the calls show the distribution of hold times, the tail is computed from the fastest request
   * and these.
   */
  private Estimate likely(Estimate range, Optional<UndisturbedLatency> baseline, Estimate waits) {
    OptionalDouble spread = spread();
    if (baseline.isPresent() || spread.isEmpty()) {
      return range;
    }
    double tail = fastest() + (spread.getAsDouble() - 1) * servers.hold().toNanos();
    double likely = tail + waits.likely();
    return new Estimate(
        range.low(), Math.max(range.low(), Math.min(range.high(), likely)), range.high());
  }

  /** The latency of the fastest request of the load test, at least a hold time, in nanoseconds. */
  private double fastest() {
    double hold = servers.hold().toNanos();
    return incident
        .timeline()
        .mainRequestStats()
        .flatMap(RequestStats::shortest)
        .map(shortest -> Math.max(hold, shortest.toNanos()))
        .orElse(hold);
  }

  private Prediction prediction(String change, Optional<Estimate> range, String basis) {
    return new Prediction(
        hypothesis, change, Quantity.WAIT_P99, OptionalDouble.empty(), range, basis, assumptions());
  }

  private List<String> assumptions() {
    return List.of(
        "downstream calls are as fast with more of them at a time",
        closed.isPresent()
            ? "the same callers, each waiting for its response before the next call"
            : "requests arrive independently of each other, at the incident's rate");
  }
}
