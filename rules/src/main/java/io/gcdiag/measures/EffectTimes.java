package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadGroupSample.AnsweringGroup;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.WaitEstimate.Relation;
import io.gcdiag.measures.jvm.MachineLoad;
import io.gcdiag.measures.jvm.StopCost;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where the time of requests went, before and during the incident: thread-seconds per second, that
 * is, how many threads were in that state on average. The raw material of the ledger.
 */
public final class EffectTimes {

  /** What stops cost is estimated: by the requests that each delayed. */
  private static final List<Effect> STOPS =
      List.of(Effect.STOPPED, Effect.SAFEPOINT, Effect.THROTTLED);

  /** The same, and the queue for CPU: it follows from how full the cores are. */
  private static final List<Effect> ESTIMATES =
      List.of(Effect.STOPPED, Effect.SAFEPOINT, Effect.THROTTLED, Effect.CPU_QUEUE);

  /** Smaller remainders are rounding errors. */
  private static final double ROUNDING = 1e-9;

  private final Incident incident;

  /** Threads on average in the incident window. */
  private final Map<Effect, Double> during = new EnumMap<>(Effect.class);

  private final Map<Effect, DumpedWaits> fromDumps = new EnumMap<>(Effect.class);
  private final Map<Effect, DumpedWaits> afterStops = new EnumMap<>(Effect.class);
  private final EffectExcess excess;

  /** What requests in progress leave of the threads that dumps show, 0 to 1. */
  private final double ofRequests;

  /** By what the waits of the incident were measured. */
  private final Map<Effect, WaitEstimate> waits;

  private final double observerSeconds;

  /** All that was recorded, in thread-seconds, before the load test's figures bound it. */
  private final double recordedSeconds;

  /** The unrecorded part of the lost time, in thread-seconds. */
  private double unaccountedSeconds;

  private final boolean unrecordedRun;

  /**
   * Measures an incident, step by step: what waits, stops and dumps show, what cores were short of,
   * and at last what the load test says that users lost, which bounds the estimates and leaves a
   * rest that nothing accounts for.
   *
   * @param requests by how much requests took longer
   * @param run what the requests of a whole run lost
   * @param queued pieces of work that wait for a free thread, on average; empty if there is no
   *     queue
   */
  private EffectTimes(
      Incident incident,
      Optional<RequestExcess> requests,
      Optional<RequestExcess> run,
      OptionalDouble queued) {
    this.incident = incident;
    excess = new EffectExcess(incident, during, fromDumps.keySet());
    waits = WaitEstimate.all(incident, incident.window(), EnumSet.allOf(Effect.class));
    waits.forEach(this::dumped);
    during.putAll(threads(incident.window(), waits));
    ofRequests = requests.filter(RequestExcess::compared).map(this::shareOfRequests).orElse(1.0);
    if (ofRequests < 1) {
      fromDumps.replaceAll((effect, seen) -> seen.atMost(ofRequests * seen.threads()));
      fromDumps.keySet().forEach(effect -> during.compute(effect, (key, now) -> ofRequests * now));
    }
    if (isPoolOfOthers()) {
      during.remove(Effect.POOL_WAIT);
    }
    queued.ifPresent(waiting -> during.put(Effect.WORKER_WAIT, waiting));
    incident.baseline().ifPresent(this::measureCalm);
    observerSeconds = StopCost.keptOutByLooks(incident, incident.window());
    requests.ifPresent(this::boundCalm);
    measureCores(requests);
    recordedSeconds = excess.totalSeconds();
    requests.ifPresentOrElse(this::account, this::accountOwnWaits);
    if (requests.isEmpty()) {
      bound(RequestExcess.mostInRun(incident.timeline()), ESTIMATES);
    }
    unrecordedRun = run.filter(this::isMostlyUnrecorded).isPresent();
    run.filter(lost -> unrecordedRun).ifPresent(this::accountRun);
  }

  /**
   * Measures an incident.
   *
   * @param requests by how much requests took longer, which bounds what was recorded
   * @param run what the requests of a whole run lost: it bounds nothing that was recorded
   * @param queued pieces of work that wait for a free thread, on average; empty if there is no
   *     queue
   */
  static EffectTimes of(
      Incident incident,
      Optional<RequestExcess> requests,
      Optional<RequestExcess> run,
      OptionalDouble queued) {
    return new EffectTimes(incident, requests, run, queued);
  }

  /** Whether the baseline figure is only a bound, given by the requests in progress then. */
  public boolean isBoundBefore(Effect effect) {
    return excess.isBoundBefore(effect);
  }

  /** That bound, in threads on average; 0 if there is none. */
  public double boundBefore(Effect effect) {
    return isBoundBefore(effect) ? excess.before(effect) : 0;
  }

  /** What it is measured in. */
  public Window window() {
    return incident.window();
  }

  /** Threads on average in the incident window. */
  public double during(Effect effect) {
    return during.getOrDefault(effect, 0.0);
  }

  /**
   * Threads on average in the baseline window; empty without one, and for {@link
   * Effect#UNACCOUNTED} where nothing shows how long requests took or waited then.
   */
  public OptionalDouble before(Effect effect) {
    return excess.isKnownBefore(effect)
        ? OptionalDouble.of(excess.before(effect))
        : OptionalDouble.empty();
  }

  /**
   * Thread-seconds above the baseline over the whole incident window, at least 0. Without a
   * baseline all waiting counts, except for answers from downstream and sleeping: how long those
   * take when nothing is wrong is then unknown. Who waits in a limiter for its turn is in a queue,
   * which counts like any other, and being connected takes a moment when nothing is wrong.
   */
  public double excessSeconds(Effect effect) {
    return effect == Effect.UNACCOUNTED ? unaccountedSeconds : excess.seconds(effect);
  }

  /**
   * What was waited for, and by how many threads on average.
   *
   * <p>Of what nothing accounts for: where requests' own code waits for something that is neither a
   * pool, a lock, a file nor an answer, as for an event that it waits for a while.
   *
   * @param effect an effect that is measured by waits, or the rest; others have no sites
   */
  public Map<String, Double> sites(Effect effect, Window window) {
    if (effect == Effect.POOL_WAIT && fromMeters()) {
      return PoolMeters.of(incident.timeline())
          .map(pool -> Map.of(pool.name(), pool.waiting(window).orElse(0)))
          .orElse(Map.of());
    }
    if (effect == Effect.DOWNSTREAM_WAIT && areCallsFromMeters()) {
      return CallMeters.of(incident.timeline(), window).stream()
          .collect(Collectors.toMap(CallMeters::target, CallMeters::inProgress, Double::sum));
    }
    if (effect == Effect.UNACCOUNTED) {
      return OwnWaits.places(incident.timeline(), window);
    }
    return fromDumps.containsKey(effect)
        ? DumpTimes.seen(incident, window, effect, 0)
            .map(seen -> seen.atMost(ofRequests * seen.threads()).bySubject())
            .orElse(Map.of())
        : WaitEstimate.sites(incident.timeline(), effect, window);
  }

  /**
   * Whether each request makes more calls than in the baseline, which made some, however long they
   * take.
   */
  public boolean areCallsMore() {
    return excess.areCallsMore();
  }

  /** Effects whose waiting is seen in thread dumps and not in events. */
  public Set<Effect> fromDumps() {
    return Collections.unmodifiableSet(fromDumps.keySet());
  }

  /** What thread dumps show of an effect, if that is what it is measured by. */
  public Optional<DumpedWaits> inDumps(Effect effect) {
    return Optional.ofNullable(fromDumps.get(effect));
  }

  /**
   * Waiting that only thread dumps show, if the dumps were taken after stops. It bounds the lost
   * time and is not counted.
   */
  public Map<Effect, DumpedWaits> afterStops() {
    return Collections.unmodifiableMap(afterStops);
  }

  /** The size of an effect by thread dumps alone, independent of events. */
  public Relation relation(Effect effect) {
    return waits.containsKey(effect) ? waits.get(effect).relation() : Relation.ALONE;
  }

  /** Whether the waiting for connections is known by the meters of the pool alone. */
  public boolean fromMeters() {
    return waits.get(Effect.POOL_WAIT).fromMeters();
  }

  /** Whether the time in calls is known by the timers of clients alone. */
  public boolean areCallsFromMeters() {
    return waits.get(Effect.DOWNSTREAM_WAIT).fromMeters();
  }

  /**
   * Whether more threads wait for connections than the load test can have requests in progress, and
   * none of them is known to serve any: they work for something else, and no user waits for them.
   * Waits that ended show it, as events do; a request that hangs is in dumps and meters, and in no
   * figure of a load test.
   */
  public boolean isPoolOfOthers() {
    Timeline timeline = incident.timeline();
    OptionalDouble most = LoadTestDelays.mostInProgress(timeline);
    WaitEstimate waiting = waits.get(Effect.POOL_WAIT);
    return most.isPresent()
        && waiting.threads() > most.getAsDouble()
        && waiting.dumps().isEmpty()
        && !waiting.fromMeters()
        && WaitSeries.ofRequests(timeline.waits(WaitKind.POOL)).isEmpty()
        && timeline.dumps().stream()
            .allMatch(dump -> dump.requestsAt(ThreadActivity.WAITING_FOR_POOL) == 0);
  }

  /** The lost time at stops for thread dumps and the recorder, which the excess leaves out. */
  public double observerSeconds() {
    return observerSeconds;
  }

  /**
   * All excess by what was recorded, in thread-seconds, before the load test's figures bound it:
   * the two can be held against each other.
   */
  public double recordedExcessSeconds() {
    return recordedSeconds;
  }

  /** Whether the load test's figures are less than what was recorded, and bound it. */
  public boolean isBounded() {
    return recordedExcessSeconds() > totalExcessSeconds();
  }

  /** All excess together, in thread-seconds. */
  public double totalExcessSeconds() {
    double total = 0;
    for (Effect effect : Effect.values()) {
      total += excessSeconds(effect);
    }
    return total;
  }

  private void dumped(Effect effect, WaitEstimate waiting) {
    waiting.dumps().ifPresent(seen -> (seen.counted() ? fromDumps : afterStops).put(effect, seen));
  }

  /**
   * Thread dumps are a few instants and may show threads that serve no request. By Little's law the
   * mean number of waiting threads is at most the number of requests in progress. Requests that the
   * baseline's arrival rate would have brought and that have not ended may be in progress too.
   */
  private double shareOfRequests(RequestExcess requests) {
    Window window = incident.window();
    double seen = fromDumps.values().stream().mapToDouble(DumpedWaits::threads).sum();
    double usual =
        incident
            .baseline()
            .flatMap(baseline -> RequestRate.of(incident, baseline))
            .map(Rate::perSecond)
            .orElse(0.0);
    double ended = RequestRate.of(incident, window).map(Rate::perSecond).orElse(0.0);
    double most = requests.inSystem() + Math.max(0, usual - ended) * window.seconds();
    return seen > most ? most / seen : 1;
  }

  /** Threads on average in a window: waits, stops of all threads, and waiting for CPU. */
  private Map<Effect, Double> threads(Window window, Map<Effect, WaitEstimate> all) {
    Timeline timeline = incident.timeline();
    Map<Effect, Double> threads = new EnumMap<>(Effect.class);
    double frozen = 0;
    for (Map.Entry<Effect, WaitEstimate> one : all.entrySet()) {
      threads.put(one.getKey(), one.getValue().threads());
      frozen += one.getValue().stoppedSeconds();
    }
    double seconds = window.seconds();
    threads.put(Effect.STOPPED, (frozen + StopCost.keptOutByPauses(incident, window)) / seconds);
    threads.put(Effect.SAFEPOINT, StopCost.keptOutBySafepoints(incident, window) / seconds);
    threads.put(Effect.THROTTLED, StopCost.keptOutByQuota(incident, window) / seconds);
    threads.put(Effect.CPU_QUEUE, CoreQueue.inDumps(timeline, window));
    return threads;
  }

  private void measureCalm(Window baseline) {
    // By what the incident is measured by: else they do not compare.
    threads(baseline, WaitEstimate.all(incident, baseline, fromDumps.keySet()))
        .forEach(excess::measured);
    if (!StopCost.isOfItsOwnRate(incident, baseline)) {
      STOPS.forEach(excess::hide);
    }
    Timeline timeline = incident.timeline();
    if (MachineLoad.isFull(timeline, baseline) && timeline.dumps(baseline).isEmpty()) {
      // Full before as well, and no dump to count by: nothing says that the queue grew.
      excess.measured(Effect.CPU_QUEUE, during(Effect.CPU_QUEUE));
    }
  }

  /**
   * What the recording says of cores: what each request computes, and where nothing says how long
   * requests took, how long they must have waited for CPU.
   */
  private void measureCores(Optional<RequestExcess> requests) {
    CpuPerRequest.of(incident)
        .ifPresentOrElse(
            computing -> computes(computing, Double.POSITIVE_INFINITY),
            () -> requests.ifPresent(this::measureComputing));
    if (requests.isEmpty() && during(Effect.CPU_QUEUE) <= 0) {
      Timeline timeline = incident.timeline();
      Optional<Window> baseline = incident.baseline();
      double usual = baseline.map(before -> CoreQueue.atLeast(timeline, before)).orElse(0.0);
      double more = CoreQueue.moreAtLeast(timeline, incident.window(), baseline);
      during.put(Effect.CPU_QUEUE, usual + more);
      excess.measured(Effect.CPU_QUEUE, usual);
    }
  }

  /**
   * A request that computes waits for nothing meanwhile: where the rate is that of a whole run
   * alone, requests compute no longer than they lost beside their waits.
   */
  private void measureComputing(RequestExcess requests) {
    double waits = excess.totalSeconds() - stopSeconds();
    double most = Math.max(0, requests.seconds() - observerSeconds - waits);
    CpuPerRequest.hiddenInWholeRun(incident).ifPresent(computing -> computes(computing, most));
  }

  private void computes(CpuPerRequest computing, double mostSeconds) {
    double usual = computing.coresBefore();
    double most = usual + mostSeconds / incident.window().seconds();
    during.put(Effect.RUNNING, Math.min(most, computing.cores()));
    excess.measured(Effect.RUNNING, usual);
  }

  private double stopSeconds() {
    return STOPS.stream().mapToDouble(excess::seconds).sum();
  }

  /**
   * Calls that only dumps show, and none was taken in the baseline: then no more of them were under
   * way than requests, of which the load test shows. Without a baseline it shows it by the fastest
   * request, if all others take many times as long.
   */
  private void boundCalm(RequestExcess requests) {
    boolean told = requests.compared() || LoadTestDelays.everybodyWaits(incident.timeline());
    if (told
        && fromDumps.containsKey(Effect.DOWNSTREAM_WAIT)
        && !excess.isUsualKnown(Effect.DOWNSTREAM_WAIT)) {
      double longer = requests.seconds() / incident.window().seconds();
      double most =
          requests.compared()
              ? requests.inSystemBefore() * RequestRate.busier(incident)
              : requests.inSystem() - longer;
      double now = during(Effect.DOWNSTREAM_WAIT);
      excess.bound(Effect.DOWNSTREAM_WAIT, Math.min(now, Math.max(most, now - longer)));
    }
  }

  /** Request time that no effect explains is unaccounted for. */
  private void account(RequestExcess requests) {
    double seconds = incident.window().seconds();
    double felt = Math.max(0, requests.seconds() - observerSeconds);
    bound(felt, STOPS);
    double rest = felt - excess.totalSeconds();
    double inSystem = requests.inSystem() - observerSeconds / seconds;
    during.put(Effect.UNACCOUNTED, Math.max(0, inSystem - Numbers.sum(during)));
    if (!requests.compared()) {
      // Without a baseline, how long calls normally take is not known; that they are recorded is.
      rest = Math.min(rest, elsewhere(requests) * seconds);
    }
    unaccountedSeconds = rest > ROUNDING * requests.seconds() ? rest : 0;
    if (requests.compared()) {
      double others = excess.totalBefore();
      excess.measured(Effect.UNACCOUNTED, Math.max(0, requests.inSystemBefore() - others));
    }
  }

  /** Estimates are limited to the lost request time that no wait explains. */
  private void bound(double lostSeconds, List<Effect> estimates) {
    double estimated = estimates.stream().mapToDouble(excess::seconds).sum();
    double left = Math.max(0, lostSeconds - (excess.totalSeconds() - estimated));
    if (estimated > left) {
      for (Effect one : estimates) {
        double usual = incident.baseline().isPresent() ? excess.before(one) : 0;
        during.computeIfPresent(
            one,
            (effect, now) -> Math.min(now, usual) + Math.max(0, now - usual) * left / estimated);
      }
    }
  }

  /** Whether the requests of a whole run lost far more than was recorded of the incident. */
  private boolean isMostlyUnrecorded(RequestExcess run) {
    double felt = run.seconds() - observerSeconds;
    return excess.totalSeconds() + unaccountedSeconds < Policy.SUBSTANTIAL * felt;
  }

  /**
   * What a whole run lost is no figure of the incident, and nothing that was recorded is bounded by
   * it. Where hardly anything was recorded, it is what users lost that no sensor shows.
   */
  private void accountRun(RequestExcess run) {
    measureComputing(run);
    double seconds = incident.window().seconds();
    double rest = Math.max(0, run.seconds() - observerSeconds - excess.totalSeconds());
    unaccountedSeconds = Math.min(rest, elsewhere(run) * seconds);
    during.put(
        Effect.UNACCOUNTED, Math.max(during(Effect.UNACCOUNTED), unaccountedSeconds / seconds));
    excess.forget(Effect.UNACCOUNTED);
  }

  /** Whether a load test's figures of a whole run show a loss of which hardly any was recorded. */
  boolean isRunUnrecorded() {
    return unrecordedRun;
  }

  /** Without latencies, and where no executor is known that requests queue for. */
  private void accountOwnWaits() {
    if (during(Effect.WORKER_WAIT) > 0) {
      return;
    }
    incident
        .baseline()
        .map(baseline -> OwnWaits.of(incident, baseline))
        .ifPresent(
            waits -> {
              during.put(Effect.UNACCOUNTED, waits.during());
              excess.measured(Effect.UNACCOUNTED, waits.before());
              unaccountedSeconds = waits.longerSeconds();
            });
  }

  /**
   * Requests in the system of which nothing recorded says what they do. What more threads do than
   * there are requests, others do; but dumps may be taken when there are more of these than on
   * average.
   */
  private double elsewhere(RequestExcess requests) {
    double most = requests.inSystem();
    double recorded = 0;
    for (Map.Entry<Effect, Double> entry : during.entrySet()) {
      boolean ofRequests = entry.getValue() <= most || fromDumps.containsKey(entry.getKey());
      recorded += entry.getKey() != Effect.UNACCOUNTED && ofRequests ? entry.getValue() : 0;
    }
    return Math.max(0, most - recorded);
  }

  /**
   * Waits of request threads for tasks, as futures are. They are what requests lost where no
   * latency is known; waits for a latch or a condition are an effect of their own and count there.
   *
   * @param during threads on average in the incident, without GC pauses
   * @param before the same in the baseline
   * @param longerSeconds thread-seconds by which the incident's waits were longer than as many of
   *     the baseline; more waits as long as before are those of more requests
   */
  private record OwnWaits(double during, double before, double longerSeconds) {

    /** Against a baseline. */
    static OwnWaits of(Incident incident, Window baseline) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<WaitSeries> counted = UserWaits.of(timeline, WaitKind.OTHER);
      List<WaitSeries> series =
          WaitSeries.ofRequests(timeline.waits(WaitKind.OTHER)).stream()
              .filter(wait -> !counted.contains(wait))
              .toList();
      double frozen = StopCost.frozenSeconds(series, timeline.pauses(window));
      double now = Math.max(0, WaitSeries.seconds(series, window) - frozen);
      double longer = -frozen;
      for (WaitSeries wait : series) {
        WaitSeries.Totals there = wait.within(window);
        longer +=
            Math.max(0, there.waitedSeconds() - there.count() * usual(timeline, wait, baseline));
      }
      boolean elsewhere = isCountedElsewhere(incident, baseline);
      return new OwnWaits(
          now / window.seconds(),
          WaitSeries.threads(series, baseline),
          elsewhere ? 0 : Math.max(0, longer));
    }

    /**
     * How long such a wait was; one that was never recorded may have been just too short for it.
     */
    private static double usual(Timeline timeline, WaitSeries wait, Window baseline) {
      WaitSeries.Totals before = wait.within(baseline);
      return before.count() > 0
          ? before.waitedSeconds() / before.count()
          : Durations.seconds(timeline.threshold(Signal.THREAD_PARKS).orElse(Duration.ZERO));
    }

    /**
     * Whether waits of other threads that requests wait for count already: those for a connection
     * do on any thread, and calls of threads that were seen to complete responses.
     */
    private static boolean isCountedElsewhere(Incident incident, Window baseline) {
      Timeline timeline = incident.timeline();
      Window window = incident.window();
      List<WaitSeries> borrowing =
          timeline.waits(WaitKind.POOL).stream()
              .filter(wait -> !wait.site().onRequestThread())
              .toList();
      double more = WaitSeries.threads(borrowing, window) - WaitSeries.threads(borrowing, baseline);
      return more >= Policy.LEAST_THREADS_FELT || !timeline.samples(AnsweringGroup.class).isEmpty();
    }

    /** Places where request threads wait for something of their own. */
    static Map<String, Double> places(Timeline timeline, Window window) {
      Map<String, Double> places = new TreeMap<>();
      for (WaitSeries series : WaitSeries.ofRequests(timeline.waits(WaitKind.OTHER))) {
        double threads = series.within(window).waitedSeconds() / window.seconds();
        if (threads > 0) {
          places.merge("waiting in " + series.site().stack(), threads, Double::sum);
        }
      }
      return places;
    }
  }
}
