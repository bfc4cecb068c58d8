package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.jvm.OwnCode.Activity;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.CallGrowth;
import io.gcdiag.measures.threads.CallMeters;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** By how much each effect exceeds the baseline. */
final class EffectExcess {

  private final Incident incident;
  private final Map<Effect, Double> during;
  private final Map<Effect, Double> before = new EnumMap<>(Effect.class);
  private final Set<Effect> fromDumps;
  private final Set<Effect> bounded = EnumSet.noneOf(Effect.class);
  private final Set<Effect> hidden = EnumSet.noneOf(Effect.class);

  /**
   * For one incident.
   *
   * @param during threads on average in its window, as far as measured so far
   * @param fromDumps effects that thread dumps show and events do not
   */
  EffectExcess(Incident incident, Map<Effect, Double> during, Set<Effect> fromDumps) {
    this.incident = incident;
    this.during = during;
    this.fromDumps = fromDumps;
  }

  /** Sets the number of threads in the baseline, on average. */
  void measured(Effect effect, double threads) {
    before.put(effect, threads);
  }

  /** Sets an upper bound of the threads in the baseline. */
  void bound(Effect effect, double threads) {
    before.put(effect, threads);
    bounded.add(effect);
  }

  /** The baseline value is used for the comparison only and is not printed as a measurement. */
  void hide(Effect effect) {
    hidden.add(effect);
  }

  /** The baseline value is unknown. */
  void forget(Effect effect) {
    before.remove(effect);
  }

  double before(Effect effect) {
    return before.getOrDefault(effect, 0.0);
  }

  /** Threads in the baseline, over all effects measured so far. */
  double totalBefore() {
    return Numbers.sum(before);
  }

  /** Whether the value of the baseline is known. */
  boolean isKnownBefore(Effect effect) {
    // An effect that no wait or pause shows did not occur. Unaccounted time is known only from a
    // load test.
    boolean shown = effect != Effect.UNACCOUNTED || before.containsKey(effect);
    return shown && !hidden.contains(effect) && incident.baseline().isPresent();
  }

  boolean isBoundBefore(Effect effect) {
    return bounded.contains(effect);
  }

  /** Whether the baseline says how much of it is usual. */
  boolean isUsualKnown(Effect effect) {
    return incident
        .baseline()
        .filter(
            baseline ->
                !fromDumps.contains(effect) || !incident.timeline().dumps(baseline).isEmpty())
        .isPresent();
  }

  /** Threads that sleep in a rate limiter, out of the threads that sleep in the incident. */
  private double inLimiters() {
    return fromDumps.contains(Effect.SLEEP)
        ? DumpTimes.inLimiters(incident)
        : UserWaits.inLimiters(incident.timeline(), incident.window());
  }

  /** Excess thread-seconds of a measured effect, see {@link EffectTimes#excessSeconds}. */
  double seconds(Effect effect) {
    double seconds = incident.window().seconds();
    double now = during.getOrDefault(effect, 0.0);
    boolean bound = isBoundBefore(effect);
    if (effect == Effect.SLEEP && !isUsualKnown(effect)) {
      return Math.max(Math.min(inLimiters(), now), bound ? now - before(effect) : 0) * seconds;
    }
    boolean calls = effect == Effect.DOWNSTREAM_WAIT && !bound;
    double connecting = calls ? ConnectWaits.during(incident, fromDumps.contains(effect)) : 0;
    if (calls && !isUsualKnown(effect)) {
      return connecting * seconds;
    }
    boolean told = bound || incident.baseline().isPresent();
    double usual = told ? before(effect) : 0;
    if (effect == Effect.SLEEP && told) {
      usual *= sleepier();
    }
    if (effect == Effect.FILE_WAIT && told) {
      // As much for each of more requests is no slower disk.
      usual *= RequestRate.busier(incident);
    }
    double more = Math.max(0, now - usual);
    if (effect == Effect.SLEEP && more < Policy.NEGLIGIBLE * now) {
      // Sleeps last slightly longer than asked for; this much is no growth.
      return 0;
    }
    if (calls) {
      // A busier service spends more time in calls that are as fast as before; that is no lost
      // time.
      double slower = DownstreamCalls.shareOfSlowerCalls(incident).orElse(1);
      double unseen = connecting + CallGrowth.hidden(incident, incident.window());
      more = Math.min(more, unseen + slower * (now - unseen));
      more = Math.max(more, byMoreCalls(now));
    }
    return more * seconds;
  }

  /**
   * The factor by which sleeping may grow without being an excess: code that sleeps by design
   * sleeps more often when there are more requests. It is the growth in the number of sleeps at the
   * baseline's code locations, each counted with its mean length of the baseline. It is at most the
   * possible growth of the request rate; beyond that each request sleeps more often, which is an
   * excess.
   */
  private double sleepier() {
    double usual = 0;
    double more = 0;
    for (WaitSeries place : UserWaits.of(incident.timeline(), WaitKind.SLEEP)) {
      Window baseline = incident.baseline().orElseThrow();
      WaitSeries.Totals before = place.within(baseline);
      if (before.count() >= Policy.FEWEST_FOR_A_MEAN) {
        double often = place.within(incident.window()).count() / incident.window().seconds();
        usual += before.count() / baseline.seconds() * Durations.seconds(before.mean());
        more += often * Durations.seconds(before.mean());
      }
    }
    if (usual <= 0) {
      return RequestRate.busier(incident);
    }
    double grown = more / usual;
    double busier = busierAtMost(WaitKind.SLEEP, Activity.SLEEPING, grown);
    return Math.max(1, Math.min(grown, busier));
  }

  /**
   * Threads in calls beyond those of the same number of requests in the baseline: each request
   * makes more calls and waits for them, however fast they are. If requests are not counted over
   * time, the number of calls must have grown by more than the request rate can have. 0 if the
   * growth is within the sampling error.
   */
  private double byMoreCalls(double now) {
    double grown = DownstreamCalls.growth(incident);
    double busier = busierAtMost(WaitKind.DOWNSTREAM, Activity.CALLING, grown);
    boolean counted = incident.timeline().requestsOfSpan().isPresent();
    if (!Double.isFinite(busier) || !counted && grown <= (1 + Policy.SAMPLES_GOOD_TO) * busier) {
      return 0;
    }
    double usual = before(Effect.DOWNSTREAM_WAIT) * busier;
    double more = now - usual;
    return more >= Policy.LEAST_THREADS_FELT && more > Policy.SAMPLES_GOOD_TO * usual ? more : 0;
  }

  /**
   * How many times the baseline's requests there can be. Where workers that rested have none free
   * for what they call or sleep, requests that are not counted are estimated by what they allocate;
   * else more of the same may be an empty cache just as well, and nothing shows that it did harm.
   */
  private double busierAtMost(WaitKind kind, Activity activity, double grown) {
    boolean taken =
        OccupiedWorkers.of(incident).stream()
            .filter(group -> group.share(kind) >= Policy.MAJORITY)
            .anyMatch(group -> OccupiedWorkers.restedBefore(incident, group));
    return taken
        ? RequestRate.busierAtMost(incident, activity, grown)
        : RequestRate.busierAtMost(incident);
  }

  /**
   * Whether each request makes more calls than in the baseline, which had some: timers and spans
   * count them; of events, a threshold may hide the shorter ones.
   */
  boolean areCallsMore() {
    boolean some =
        CallMeters.areAlone(incident.timeline())
            ? DownstreamCalls.growth(incident) > 1
            : before(Effect.DOWNSTREAM_WAIT) >= Policy.LEAST_THREADS_FELT;
    return isUsualKnown(Effect.DOWNSTREAM_WAIT)
        && !isBoundBefore(Effect.DOWNSTREAM_WAIT)
        && some
        && byMoreCalls(during.getOrDefault(Effect.DOWNSTREAM_WAIT, 0.0)) > 0;
  }

  double totalSeconds() {
    double total = 0;
    for (Effect effect : Effect.values()) {
      total += effect == Effect.UNACCOUNTED ? 0 : seconds(effect);
    }
    return total;
  }
}
