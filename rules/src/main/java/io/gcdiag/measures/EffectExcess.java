package io.gcdiag.measures;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.requests.RequestRate;
import io.gcdiag.measures.threads.ConnectWaits;
import io.gcdiag.measures.threads.DownstreamCalls;
import io.gcdiag.measures.threads.DumpTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** How much more of each effect there was in the incident than is usual. */
final class EffectExcess {

  private final Incident incident;
  private final Map<Effect, Double> during;
  private final Map<Effect, Double> before = new EnumMap<>(Effect.class);
  private final Set<Effect> fromDumps;
  private final Set<Effect> bounded = EnumSet.noneOf(Effect.class);
  private final Set<Effect> hidden = EnumSet.noneOf(Effect.class);

  /**
   * Of an incident.
   *
   * @param during threads on average in its window, as far as they are measured by now
   * @param fromDumps effects that thread dumps show and events do not
   */
  EffectExcess(Incident incident, Map<Effect, Double> during, Set<Effect> fromDumps) {
    this.incident = incident;
    this.during = during;
    this.fromDumps = fromDumps;
  }

  /** So many threads were in the baseline, on average. */
  void measured(Effect effect, double threads) {
    before.put(effect, threads);
  }

  /** More than so many were not in the baseline. */
  void bound(Effect effect, double threads) {
    before.put(effect, threads);
    bounded.add(effect);
  }

  /** What is said of the baseline serves the comparison alone: how many were in it is unknown. */
  void hide(Effect effect) {
    hidden.add(effect);
  }

  /** Nothing says how many were in the baseline. */
  void forget(Effect effect) {
    before.remove(effect);
  }

  double before(Effect effect) {
    return before.getOrDefault(effect, 0.0);
  }

  /** Threads in the baseline in all effects that are measured by now. */
  double totalBefore() {
    return Numbers.sum(before);
  }

  /** Whether anything says how much of it there was in the baseline. */
  boolean isKnownBefore(Effect effect) {
    // An effect that no wait or stop shows was not there; of requests only a load test knows.
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

  /** Of the threads asleep in the incident, those that are so for their turn in a limiter. */
  private double inLimiters() {
    return fromDumps.contains(Effect.SLEEP)
        ? DumpTimes.inLimiters(incident)
        : UserWaits.inLimiters(incident.timeline(), incident.window());
  }

  /** Thread-seconds of a measured effect, as {@link EffectTimes#excessSeconds} tells them. */
  double seconds(Effect effect) {
    double seconds = incident.window().seconds();
    double now = during.getOrDefault(effect, 0.0);
    if (effect == Effect.SLEEP && !isUsualKnown(effect)) {
      return Math.min(inLimiters(), now) * seconds;
    }
    boolean bound = isBoundBefore(effect);
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
    double more = Math.max(0, now - usual);
    if (effect == Effect.SLEEP && more < Policy.NEGLIGIBLE * now) {
      // A sleep takes somewhat longer than asked: more of them differ by that and are the same.
      return 0;
    }
    if (calls) {
      // A busier service spends more time in calls that are as fast as before: nothing is lost
      // there.
      double slower = DownstreamCalls.shareOfSlowerCalls(incident).orElse(1);
      more = Math.min(more, connecting + slower * (now - connecting));
      more = Math.max(more, byMoreCalls(now));
    }
    return more * seconds;
  }

  /**
   * So many times the baseline's sleeps are no more than usual: who sleeps by design sleeps more
   * often when more is asked of it. By how many more sleeps there are at the places of the
   * baseline, each as long as then; what is longer is the sleep's own. More of them than requests
   * can have become more are so too: each sleeps more often.
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
    return usual > 0
        ? Math.max(1, Math.min(more / usual, RequestRate.busierAtMost(incident)))
        : RequestRate.busier(incident);
  }

  /**
   * Threads in calls beyond those of as many requests in the baseline: each makes more calls, and
   * waits for them however fast they are. Where requests are not counted over time, the calls that
   * are counted must have become more by more than requests can have. 0 where that is within the
   * error of samples.
   */
  private double byMoreCalls(double now) {
    double busier = RequestRate.busierAtMost(incident);
    boolean counted = incident.timeline().requestsOfSpan().isPresent();
    if (!Double.isFinite(busier)
        || !counted && DownstreamCalls.growth(incident) <= (1 + Policy.SAMPLES_GOOD_TO) * busier) {
      return 0;
    }
    double usual = before(Effect.DOWNSTREAM_WAIT) * busier;
    double more = now - usual;
    return more >= Policy.LEAST_THREADS_FELT && more > Policy.SAMPLES_GOOD_TO * usual ? more : 0;
  }

  /** Whether each request makes more calls than in the baseline, which made some. */
  boolean areCallsMore() {
    return isUsualKnown(Effect.DOWNSTREAM_WAIT)
        && !isBoundBefore(Effect.DOWNSTREAM_WAIT)
        && before(Effect.DOWNSTREAM_WAIT) >= Policy.LEAST_THREADS_FELT
        && byMoreCalls(during.getOrDefault(Effect.DOWNSTREAM_WAIT, 0.0)) > 0;
  }

  /** All measured effects together. */
  double totalSeconds() {
    double total = 0;
    for (Effect effect : Effect.values()) {
      total += effect == Effect.UNACCOUNTED ? 0 : seconds(effect);
    }
    return total;
  }
}
