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
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.measures.threads.WorkerQueue;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
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
 * Where the time of requests went, in the baseline and in the incident. The unit is thread-seconds
 * per second, that is, the average number of threads in that state. The ledger is built from it.
 */
public final class EffectTimes {

  /** The cost of pauses is estimated from the requests that each pause delayed. */
  private static final List<Effect> STOPS =
      List.of(Effect.STOPPED, Effect.SAFEPOINT, Effect.THROTTLED);

  /** The same, and waiting for CPU, which is estimated from CPU utilisation. */
  private static final List<Effect> ESTIMATES =
      List.of(Effect.STOPPED, Effect.SAFEPOINT, Effect.THROTTLED, Effect.CPU_QUEUE);

  /** What a request does while it keeps its thread: so many more of them as requests came. */
  private static final List<Effect> ERRANDS =
      List.of(Effect.DOWNSTREAM_WAIT, Effect.SLEEP, Effect.FILE_WAIT);

  /** Smaller remainders are rounding errors. */
  private static final double ROUNDING = 1e-9;

  private final Incident incident;

  /** Threads on average in the incident window. */
  private final Map<Effect, Double> during = new EnumMap<>(Effect.class);

  private final Map<Effect, DumpedWaits> fromDumps = new EnumMap<>(Effect.class);
  private final Map<Effect, DumpedWaits> afterStops = new EnumMap<>(Effect.class);
  private final EffectExcess excess;

  /**
   * Share of the threads in dumps that can be requests, 0 to 1: no more than there are requests in
   * progress.
   */
  private final double ofRequests;

  /** How the waits of the incident were measured. */
  private final Map<Effect, WaitEstimate> waits;

  private final double observerSeconds;

  /** All recorded excess, in thread-seconds, before the load test's figures limit it. */
  private final double recordedSeconds;

  /** The unrecorded part of the lost time, in thread-seconds. */
  private double unaccountedSeconds;

  private final boolean unrecordedRun;

  /**
   * Measures an incident step by step: first waits, pauses and dumps, then CPU, and last the lost
   * time by the load test. The lost time limits the estimates, and what it exceeds them by is
   * unaccounted for.
   *
   * @param requests by how much requests took longer
   * @param run lost time of a whole run
   * @param queue requests or tasks that wait for a free thread; empty if there are none
   */
  private EffectTimes(
      Incident incident,
      Optional<RequestExcess> requests,
      Optional<RequestExcess> run,
      Optional<WorkerQueue> queue) {
    this.incident = incident;
    excess = new EffectExcess(incident, during, fromDumps.keySet());
    waits = WaitEstimate.all(incident, incident.window(), EnumSet.allOf(Effect.class));
    waits.forEach(this::dumped);
    during.putAll(threads(incident.window(), waits));
    StopCost.mostByPauses(incident)
        .ifPresent(
            most ->
                during.computeIfPresent(
                    Effect.STOPPED,
                    (effect, now) -> Math.min(now, most / incident.window().seconds())));
    ofRequests = requests.map(this::shareOfRequests).orElse(1.0);
    if (ofRequests < 1) {
      fromDumps.replaceAll((effect, seen) -> seen.atMost(ofRequests * seen.threads()));
      fromDumps.keySet().forEach(effect -> during.compute(effect, (key, now) -> ofRequests * now));
    }
    if (isPoolOfOthers()) {
      during.remove(Effect.POOL_WAIT);
    }
    requests.ifPresent(this::countOnce);
    queue.ifPresent(this::queued);
    incident.baseline().ifPresent(this::measureBaseline);
    observerSeconds =
        StopCost.keptOutByLooks(incident, incident.window())
            + waits.values().stream().mapToDouble(WaitEstimate::observedSeconds).sum();
    requests.ifPresent(this::boundBaseline);
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
   * @param requests by how much requests took longer, which limits what was recorded
   * @param run lost time of a whole run, which limits nothing
   * @param queue requests or tasks that wait for a free thread; empty if there are none
   */
  static EffectTimes of(
      Incident incident,
      Optional<RequestExcess> requests,
      Optional<RequestExcess> run,
      Optional<WorkerQueue> queue) {
    return new EffectTimes(incident, requests, run, queue);
  }

  /**
   * Whether the value of the baseline is only an upper bound, from the requests then in progress.
   */
  public boolean isBoundBefore(Effect effect) {
    return excess.isBoundBefore(effect);
  }

  /** That bound, in threads on average; 0 if there is none. */
  public double boundBefore(Effect effect) {
    return isBoundBefore(effect) ? excess.before(effect) : 0;
  }

  public Window window() {
    return incident.window();
  }

  /** Threads on average in the incident window. */
  public double during(Effect effect) {
    return during.getOrDefault(effect, 0.0);
  }

  /**
   * Threads on average in the baseline window. Empty without a baseline; for {@link
   * Effect#UNACCOUNTED} also if nothing shows latencies or waits of the baseline.
   */
  public OptionalDouble before(Effect effect) {
    return excess.isKnownBefore(effect)
        ? OptionalDouble.of(excess.before(effect))
        : OptionalDouble.empty();
  }

  /**
   * Thread-seconds above the baseline over the whole incident window, at least 0. Without a
   * baseline all waiting counts, except downstream calls and sleeping, whose normal duration is
   * then unknown. Two exceptions count in full: waiting in a rate limiter, which is a queue, and
   * waiting for a connection to be established, which normally takes only a moment.
   */
  public double excessSeconds(Effect effect) {
    return effect == Effect.UNACCOUNTED ? unaccountedSeconds : excess.seconds(effect);
  }

  /**
   * What threads waited for, and how many on average.
   *
   * <p>For {@link Effect#UNACCOUNTED}: places where the requests' own code waits for something
   * other than a pool, a lock, a file or a call, for example for an event with a timeout.
   *
   * @param effect an effect measured by waits, or {@link Effect#UNACCOUNTED}; others have no sites
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
   * Whether each request makes more calls than in the baseline, which had some, whatever their
   * length.
   */
  public boolean areCallsMore() {
    return excess.areCallsMore();
  }

  /** Effects whose waits show in thread dumps and not in events. */
  public Set<Effect> fromDumps() {
    return Collections.unmodifiableSet(fromDumps.keySet());
  }

  /** The waits in thread dumps, if the effect is measured by these. */
  public Optional<DumpedWaits> inDumps(Effect effect) {
    return Optional.ofNullable(fromDumps.get(effect));
  }

  /**
   * Waits that only thread dumps show, if the dumps were taken right after pauses. They are an
   * upper bound of lost time and are not counted.
   */
  public Map<Effect, DumpedWaits> afterStops() {
    return Collections.unmodifiableMap(afterStops);
  }

  /** How the effect's size by thread dumps alone compares with that by events. */
  public Relation relation(Effect effect) {
    return waits.containsKey(effect) ? waits.get(effect).relation() : Relation.ALONE;
  }

  /** Whether waiting for connections is known from the pool's metrics only. */
  public boolean fromMeters() {
    return waits.get(Effect.POOL_WAIT).fromMeters();
  }

  /** Whether the time in calls is known from clients' timers only. */
  public boolean areCallsFromMeters() {
    return waits.get(Effect.DOWNSTREAM_WAIT).fromMeters();
  }

  /**
   * Whether the waits for connections are not those of requests: more threads wait than the load
   * test can have requests in progress, and none of the threads is known to serve requests. This
   * holds for waits that ended, as in events. A request that hangs is in dumps and metrics but in
   * no figure of a load test.
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

  /**
   * Time lost at pauses for thread dumps and for the recorder, which the excess does not include.
   */
  public double observerSeconds() {
    return observerSeconds;
  }

  /** All excess by recorded data, in thread-seconds, before the load test's figures limit it. */
  public double recordedExcessSeconds() {
    return recordedSeconds;
  }

  /** Whether the lost time by the load test is less than the recorded excess and limits it. */
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

  /**
   * A request that waits for a connection of an asynchronous client is in a call of that client by
   * all else that sees it, and counted by the pool's meters as well: no more are in both together
   * than in the system.
   */
  private void countOnce(RequestExcess requests) {
    double calls = during(Effect.DOWNSTREAM_WAIT);
    double twice = during(Effect.POOL_WAIT) + calls - requests.inSystem();
    if (fromMeters() && twice > 0) {
      during.put(Effect.DOWNSTREAM_WAIT, Math.max(0, calls - twice));
    }
  }

  private void queued(WorkerQueue queue) {
    double waiting = queue.waiting();
    if (queue.role() == WorkerQueue.Role.EXECUTOR) {
      // What request threads wait for there are the results of these tasks, also by the name of a
      // library's own future: more of them than there are workers are queued.
      double results =
          WaitSeries.threads(
              UserWaits.of(incident.timeline(), WaitKind.OTHER).stream()
                  .filter(series -> UserWaits.isFuture(series.site().name()))
                  .toList(),
              incident.window());
      waiting = Math.max(waiting, results - queue.workers());
      double queued = waiting;
      during.computeIfPresent(Effect.OTHER_WAIT, (effect, now) -> Math.max(0, now - queued));
    }
    during.put(Effect.WORKER_WAIT, waiting);
  }

  private void dumped(Effect effect, WaitEstimate waiting) {
    waiting.dumps().ifPresent(seen -> (seen.counted() ? fromDumps : afterStops).put(effect, seen));
  }

  /**
   * Thread dumps are a few moments and may show threads that serve no request. By Little's law the
   * mean number of waiting threads is at most the number of requests in progress.
   */
  private double shareOfRequests(RequestExcess requests) {
    double seen = fromDumps.values().stream().mapToDouble(DumpedWaits::threads).sum();
    double most = requests.atMostInSystem(incident);
    return seen > most ? most / seen : 1;
  }

  /**
   * Threads on average in a window: waits, pauses (which stop all threads), and waiting for CPU.
   */
  private Map<Effect, Double> threads(Window window, Map<Effect, WaitEstimate> all) {
    Timeline timeline = incident.timeline();
    Map<Effect, Double> threads = new EnumMap<>(Effect.class);
    double paused = 0;
    double atSafepoints = 0;
    for (Map.Entry<Effect, WaitEstimate> one : all.entrySet()) {
      threads.put(one.getKey(), one.getValue().threads());
      paused += one.getValue().pausedSeconds();
      atSafepoints += one.getValue().stalledSeconds();
    }
    double seconds = window.seconds();
    threads.put(Effect.STOPPED, (paused + StopCost.keptOutByPauses(incident, window)) / seconds);
    threads.put(
        Effect.SAFEPOINT,
        (atSafepoints + StopCost.keptOutBySafepoints(incident, window)) / seconds);
    threads.put(Effect.THROTTLED, StopCost.keptOutByQuota(incident, window) / seconds);
    threads.put(Effect.CPU_QUEUE, CoreQueue.inDumps(timeline, window));
    return threads;
  }

  private void measureBaseline(Window baseline) {
    // The baseline must be measured by the same sources as the incident to be comparable.
    threads(baseline, WaitEstimate.all(incident, baseline, fromDumps.keySet()))
        .forEach(excess::measured);
    if (!StopCost.isOfItsOwnRate(incident, baseline)) {
      STOPS.forEach(excess::hide);
    }
    Timeline timeline = incident.timeline();
    if (MachineLoad.isFull(timeline, baseline)
        && timeline.dumps(baseline).isEmpty()
        && !CoreQueue.becameContended(incident)) {
      // The CPUs were full in the baseline too, and there is no dump to count by: nothing shows
      // that the queue grew.
      excess.measured(Effect.CPU_QUEUE, during(Effect.CPU_QUEUE));
    }
  }

  /**
   * CPU figures from the recording: the CPU time per request and, if no latencies are known, the
   * time that requests must have waited for CPU.
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
   * A request that runs on a CPU waits for nothing else. If only the rate of a whole run is known,
   * the growth of CPU time is at most the lost time that waits do not explain.
   */
  private void measureComputing(RequestExcess requests) {
    double waits = excess.totalSeconds() - STOPS.stream().mapToDouble(excess::seconds).sum();
    double most = Math.max(0, requests.seconds() - observerSeconds - waits);
    CpuPerRequest.hiddenInWholeRun(incident).ifPresent(computing -> computes(computing, most));
  }

  private void computes(CpuPerRequest computing, double mostSeconds) {
    double usual = computing.coresBefore();
    double most = usual + mostSeconds / incident.window().seconds();
    during.put(Effect.RUNNING, Math.min(most, computing.cores()));
    excess.measured(Effect.RUNNING, usual);
  }

  /**
   * An upper bound for the calls and the sleeps of the baseline, if only dumps show them and none
   * was taken in the baseline: no more than requests in progress, by the load test. Without a
   * baseline the load test shows them through its fastest request, if most requests take many times
   * as long.
   */
  private void boundBaseline(RequestExcess requests) {
    if (!requests.compared() && !LoadTestDelays.everybodyWaits(incident.timeline())) {
      return;
    }
    double longer = requests.seconds() / incident.window().seconds();
    double most =
        requests.compared()
            ? requests.inSystemBefore() * RequestRate.busier(incident)
            : requests.inSystem() - longer;
    for (Effect effect : List.of(Effect.DOWNSTREAM_WAIT, Effect.SLEEP)) {
      if (fromDumps.containsKey(effect) && !excess.isUsualKnown(effect)) {
        double now = during(effect);
        excess.bound(effect, Math.min(now, Math.max(most, now - longer)));
      }
    }
  }

  /** Request time that no effect explains is unaccounted for. */
  private void account(RequestExcess requests) {
    double seconds = incident.window().seconds();
    double felt = Math.max(0, requests.seconds() - observerSeconds);
    bound(felt, STOPS);
    double missing = requests.atMostInSystem(incident) - requests.inSystem();
    // A client's timer may hold the wait for its connection too: then that is what counts twice.
    if (!areCallsFromMeters()) {
      bound(felt + missing * seconds, List.of(Effect.WORKER_WAIT));
    }
    double rest = felt - excess.totalSeconds();
    double inSystem = requests.inSystem() - observerSeconds / seconds;
    during.put(Effect.UNACCOUNTED, Math.max(0, inSystem - Numbers.sum(during)));
    if (!requests.compared()) {
      // Without a baseline the normal duration of calls is unknown, but the calls themselves are
      // recorded.
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

  /** Whether the lost time of a whole run is far larger than what was recorded of the incident. */
  private boolean isMostlyUnrecorded(RequestExcess run) {
    double felt = run.seconds() - observerSeconds;
    return excess.totalSeconds() + unaccountedSeconds < Policy.SUBSTANTIAL * felt;
  }

  /**
   * The lost time of a whole run is no figure of the incident and limits nothing that was recorded.
   * If hardly anything was recorded, it is counted as unaccounted for.
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

  /** Whether the lost time of a whole run was hardly recorded. */
  public boolean isRunUnrecorded() {
    return unrecordedRun;
  }

  /**
   * Without latencies it is not known how many requests queue for workers of which none is free,
   * and hardly any that more of them would not. What took the last free ones is known: of the
   * threads that are in calls, asleep or in files now and were not before, the longer ones are lost
   * there, and all others serve requests that came on top.
   */
  private void accountFullWorkers() {
    double seconds = incident.window().seconds();
    double onTop =
        ERRANDS.stream()
            .filter(effect -> !fromDumps.containsKey(effect))
            .mapToDouble(
                effect -> during(effect) - excess.before(effect) - excess.seconds(effect) / seconds)
            .filter(threads -> threads >= Policy.LEAST_THREADS_FELT)
            .sum();
    if (excess.totalSeconds() >= Policy.LASTING_QUEUE / 2 * seconds
        && OccupiedWorkers.of(incident).stream().anyMatch(this::areTaken)) {
      during.put(Effect.WORKER_WAIT, onTop);
      excess.measured(Effect.WORKER_WAIT, 0);
    }
  }

  private boolean areTaken(OccupiedWorkers group) {
    double errands =
        ERRANDS.stream()
            .flatMap(effect -> effect.waitsFor().stream())
            .mapToDouble(group::share)
            .sum();
    return group.serving()
        && errands >= Policy.MAJORITY
        && OccupiedWorkers.restedBefore(incident, group);
  }

  /** Used without latencies, and only if no queue for a thread is known. */
  private void accountOwnWaits() {
    if (during(Effect.WORKER_WAIT) > 0) {
      return;
    }
    accountFullWorkers();
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
   * Requests in the system whose state nothing recorded shows. If more threads are in a state than
   * there are requests, the others do not serve requests; but dumps may have been taken when there
   * were more requests than on average.
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
   * Waits of request threads for tasks, such as futures. They are the lost time if no latency is
   * known. Waits for a latch or a condition are an effect of their own and count there.
   *
   * @param during threads on average in the incident, without GC pauses
   * @param before the same in the baseline
   * @param longerSeconds thread-seconds by which the incident's waits were longer than the same
   *     number of waits in the baseline; more waits of the same length are due to more requests
   */
  private record OwnWaits(double during, double before, double longerSeconds) {

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
     * Mean length of such a wait in the baseline. If none was recorded, it may have been just below
     * the threshold.
     */
    private static double usual(Timeline timeline, WaitSeries wait, Window baseline) {
      WaitSeries.Totals before = wait.within(baseline);
      return before.count() > 0
          ? before.waitedSeconds() / before.count()
          : Durations.seconds(timeline.threshold(Signal.THREAD_PARKS).orElse(Duration.ZERO));
    }

    /**
     * Whether waits of other threads, for which requests wait, are counted already: waits for a
     * connection count on any thread, and so do calls of threads that were seen to complete
     * responses.
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
