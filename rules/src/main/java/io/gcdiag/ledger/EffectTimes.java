package io.gcdiag.ledger;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.Window;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Where the time of users' work went, before and during the incident: thread-seconds per second,
 * that is, how many threads were in that state on average. The raw material of the ledger.
 */
public final class EffectTimes {

  /** What stops cost is estimated: by the requests that each held up. */
  private static final List<Effect> STOPS =
      List.of(Effect.STOPPED, Effect.SAFEPOINT, Effect.THROTTLED);

  /** A rest this small is what sums of doubles leave. */
  private static final double ROUNDING = 1e-9;

  private final Incident incident;
  private final Map<Effect, Double> during = new EnumMap<>(Effect.class);
  private final Map<Effect, Double> before = new EnumMap<>(Effect.class);

  private final Set<Effect> fromDumps = EnumSet.noneOf(Effect.class);
  private final Set<Effect> bounded = EnumSet.noneOf(Effect.class);
  private boolean fromMeters;
  private double unaccountedSeconds;
  private double recordedSeconds = Double.NaN;
  private double observerSeconds;

  private EffectTimes(Incident incident) {
    this.incident = incident;
  }

  /** Measures an incident. */
  public static EffectTimes of(Incident incident) {
    return incident
        .timeline()
        .derived(EffectTimes.class, incident.windows(), () -> measured(incident));
  }

  private static EffectTimes measured(Incident incident) {
    EffectTimes times = new EffectTimes(incident);
    WindowTimes measured = WindowTimes.ofIncident(incident);
    times.during.putAll(measured.threads());
    times.fromDumps.addAll(measured.fromDumps());
    times.fromMeters = measured.fromMeters();
    WorkerQueue.of(incident)
        .ifPresent(queue -> times.during.put(Effect.WORKER_WAIT, queue.waiting()));
    incident.windows().baseline().ifPresent(calm -> times.measureCalm(calm));
    times.observerSeconds = observed(incident);
    Optional<RequestExcess> requests = RequestExcess.of(incident);
    times.measureCores(requests.isPresent());
    requests.ifPresent(times::boundCalm);
    requests.ifPresent(times::account);
    return times;
  }

  /** What stops for looking at the trouble cost users: no part of it, though requests waited. */
  private static double observed(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    List<Duration> looks = Observation.of(timeline).leftOut(timeline, window);
    return StopCost.keptOutSeconds(timeline, looks, window);
  }

  /**
   * What the recording says of cores: what each request computes, and where nothing says how long
   * requests took, how long they must have waited for a core.
   */
  private void measureCores(boolean latencyKnown) {
    Computing.of(incident)
        .ifPresent(
            computing -> {
              during.put(Effect.RUNNING, computing.rate() * computing.duringSeconds());
              before.put(Effect.RUNNING, computing.rate() * computing.beforeSeconds());
            });
    if (!latencyKnown && during(Effect.CPU_QUEUE) <= 0) {
      Timeline timeline = incident.timeline();
      Optional<Window> calm = incident.windows().baseline();
      double usual = calm.map(before -> CoreQueue.atLeast(timeline, before)).orElse(0.0);
      double more = CoreQueue.moreAtLeast(timeline, incident.windows().incident(), calm);
      during.put(Effect.CPU_QUEUE, usual + more);
      before.put(Effect.CPU_QUEUE, usual);
    }
  }

  /**
   * Calls that only dumps show, and none was taken in the calm: then no more of them were under way
   * than requests, of which the load test tells. Without a calm it tells of it by the fastest
   * request, if all others take many times as long.
   */
  private void boundCalm(RequestExcess requests) {
    boolean told = requests.compared() || Delays.everybodyWaits(incident.timeline());
    if (told
        && fromDumps.contains(Effect.DOWNSTREAM_WAIT)
        && !isUsualKnown(Effect.DOWNSTREAM_WAIT)) {
      double longer = requests.seconds() / incident.windows().incident().seconds();
      double most =
          requests.compared()
              ? requests.inSystemBefore() * RequestRate.busier(incident)
              : requests.inSystem() - longer;
      double now = during(Effect.DOWNSTREAM_WAIT);
      before.put(Effect.DOWNSTREAM_WAIT, Math.min(now, Math.max(most, now - longer)));
      bounded.add(Effect.DOWNSTREAM_WAIT);
    }
  }

  /** Whether what is said of the calm is a bound, by the requests that were under way then. */
  public boolean isBoundBefore(Effect effect) {
    return bounded.contains(effect);
  }

  /**
   * What requests took and no other effect has is unaccounted for. Time stopped is partly an
   * estimate (of what each stop held up): it cannot be more than requests lost and no wait has.
   */
  private void account(RequestExcess requests) {
    double seconds = incident.windows().incident().seconds();
    recordedSeconds = totalExcessSeconds();
    double stops = STOPS.stream().mapToDouble(this::excessSeconds).sum();
    double felt = Math.max(0, requests.seconds() - observerSeconds);
    double left = Math.max(0, felt - (totalExcessSeconds() - stops));
    if (stops > left) {
      for (Effect stop : STOPS) {
        double usual = before(stop).orElse(0);
        during.compute(
            stop, (effect, now) -> Math.min(now, usual) + Math.max(0, now - usual) * left / stops);
      }
    }
    double rest = felt - totalExcessSeconds();
    double inSystem = requests.inSystem() - observerSeconds / seconds;
    during.put(Effect.UNACCOUNTED, Math.max(0, inSystem - sum(during)));
    if (!requests.compared()) {
      // How long calls take that are as ever is not known without a calm; that they are recorded
      // is.
      rest = Math.min(rest, elsewhere(requests) * seconds);
    }
    unaccountedSeconds = rest > ROUNDING * requests.seconds() ? rest : 0;
    // What is there before is the time that requests need, computing and in short waits.
    before.put(
        Effect.UNACCOUNTED, Math.max(0, during(Effect.UNACCOUNTED) - unaccountedSeconds / seconds));
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
      boolean ofRequests = entry.getValue() <= most || fromDumps.contains(entry.getKey());
      recorded += entry.getKey() != Effect.UNACCOUNTED && ofRequests ? entry.getValue() : 0;
    }
    return Math.max(0, most - recorded);
  }

  private static double sum(Map<?, Double> values) {
    return values.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  /** Threads on average in the incident window. */
  public double during(Effect effect) {
    return during.getOrDefault(effect, 0.0);
  }

  /** Threads on average in the baseline window; empty without one. */
  public OptionalDouble before(Effect effect) {
    return incident.windows().baseline().isPresent()
        ? OptionalDouble.of(before.getOrDefault(effect, 0.0))
        : OptionalDouble.empty();
  }

  /**
   * Thread-seconds above the baseline over the whole incident window, at least 0. Without a
   * baseline all waiting counts, except for answers from downstream and sleeping: how long those
   * take when nothing is wrong is then unknown. Who waits in a limiter for its turn is in a queue,
   * which counts like any other.
   */
  public double excessSeconds(Effect effect) {
    double seconds = incident.windows().incident().seconds();
    if (effect == Effect.UNACCOUNTED) {
      return unaccountedSeconds;
    }
    if (effect == Effect.SLEEP && !isUsualKnown(effect)) {
      return Math.min(inLimiters(), during(effect)) * seconds;
    }
    if (effect == Effect.DOWNSTREAM_WAIT && !isUsualKnown(effect) && !bounded.contains(effect)) {
      return 0;
    }
    // Who sleeps by design sleeps more often when more is asked of it.
    double known =
        bounded.contains(effect) ? before.getOrDefault(effect, 0.0) : before(effect).orElse(0);
    double usual = known * (effect == Effect.SLEEP ? RequestRate.busier(incident) : 1);
    double more = Math.max(0, during(effect) - usual);
    if (effect == Effect.DOWNSTREAM_WAIT && !bounded.contains(effect)) {
      // A busier service spends more time in calls that are as fast as ever: that is no trouble.
      double slower = DownstreamCalls.shareOfSlowerCalls(incident).orElse(1);
      more = Math.min(more, slower * during(effect));
    }
    return more * seconds;
  }

  /** Of the threads asleep in the incident, those that are so for their turn in a limiter. */
  public double inLimiters() {
    return fromDumps.contains(Effect.SLEEP)
        ? DumpTimes.inLimiters(incident)
        : UserWaits.inLimiters(incident.timeline(), incident.windows().incident());
  }

  /** Whether the calm says how much of it is usual. */
  private boolean isUsualKnown(Effect effect) {
    return incident
        .windows()
        .baseline()
        .filter(calm -> !fromDumps.contains(effect) || !incident.timeline().dumps(calm).isEmpty())
        .isPresent();
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
    if (effect == Effect.POOL_WAIT && fromMeters) {
      return PoolMeters.of(incident.timeline())
          .map(pool -> Map.of(pool.name(), pool.waiting(window).orElse(0)))
          .orElse(Map.of());
    }
    if (effect == Effect.UNACCOUNTED) {
      return WindowTimes.ownWaits(incident.timeline(), window);
    }
    return fromDumps.contains(effect)
        ? DumpTimes.unseen(incident, window, effect, 0)
        : WindowTimes.sites(incident.timeline(), effect, window);
  }

  /** Effects whose waiting is seen in thread dumps and not in events. */
  public Set<Effect> fromDumps() {
    return Collections.unmodifiableSet(fromDumps);
  }

  /** Whether the waiting for connections is known by the meters of the pool alone. */
  public boolean fromMeters() {
    return fromMeters;
  }

  /** What users lost at stops for thread dumps and the recorder, which the excess leaves out. */
  public double observerSeconds() {
    return observerSeconds;
  }

  /**
   * All excess by what was recorded, in thread-seconds, before the load test's figures bound it:
   * the two can be held against each other.
   */
  public double recordedExcessSeconds() {
    return Double.isNaN(recordedSeconds) ? totalExcessSeconds() : recordedSeconds;
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

  private void measureCalm(Window calm) {
    // By what the incident is measured by: else they do not compare.
    before.putAll(WindowTimes.ofCalm(incident, calm, fromDumps).threads());
    Timeline timeline = incident.timeline();
    if (MachineLoad.isFull(timeline, calm) && timeline.dumps(calm).isEmpty()) {
      // Full before as well, and no dump to count by: nothing says that the queue grew.
      before.put(Effect.CPU_QUEUE, during(Effect.CPU_QUEUE));
    }
  }
}
