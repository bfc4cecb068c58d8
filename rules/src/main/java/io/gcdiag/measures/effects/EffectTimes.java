package io.gcdiag.measures.effects;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.measures.pool.PoolMeters;
import io.gcdiag.measures.requests.RequestExcess;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.DumpedWaits;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.WaitEstimate.Relation;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Where the time of requests went, before and during the incident: thread-seconds per second, that
 * is, how many threads were in that state on average. The raw material of the ledger.
 */
public final class EffectTimes {

  private final EffectMeasurement measured;

  EffectTimes(EffectMeasurement measured) {
    this.measured = measured;
  }

  /**
   * Measures an incident.
   *
   * @param requests by how much requests took longer, which bounds what was recorded
   * @param queued pieces of work that wait for a free thread, on average; empty if there is no
   *     queue
   */
  public static EffectTimes of(
      Incident incident, Optional<RequestExcess> requests, OptionalDouble queued) {
    return new EffectTimes(new EffectMeasurement(incident, requests, queued));
  }

  /**
   * Whether what is said of the baseline is a bound, by the requests that were in progress then.
   */
  public boolean isBoundBefore(Effect effect) {
    return measured.excess.isBoundBefore(effect);
  }

  /** That bound, in threads on average; 0 if there is none. */
  public double boundBefore(Effect effect) {
    return isBoundBefore(effect) ? measured.excess.before(effect) : 0;
  }

  /** What it is measured in. */
  public Window window() {
    return measured.incident.window();
  }

  /** Threads on average in the incident window. */
  public double during(Effect effect) {
    return measured.during.getOrDefault(effect, 0.0);
  }

  /**
   * Threads on average in the baseline window; empty without one, and for {@link
   * Effect#UNACCOUNTED} where nothing shows how long requests took or waited then.
   */
  public OptionalDouble before(Effect effect) {
    return measured.excess.isKnownBefore(effect)
        ? OptionalDouble.of(measured.excess.before(effect))
        : OptionalDouble.empty();
  }

  /**
   * Thread-seconds above the baseline over the whole incident window, at least 0. Without a
   * baseline all waiting counts, except for answers from downstream and sleeping: how long those
   * take when nothing is wrong is then unknown. Who waits in a limiter for its turn is in a queue,
   * which counts like any other, and being connected takes a moment when nothing is wrong.
   */
  public double excessSeconds(Effect effect) {
    return effect == Effect.UNACCOUNTED
        ? measured.unaccountedSeconds
        : measured.excess.seconds(effect);
  }

  /** Of the threads asleep in the incident, those that are so for their turn in a limiter. */
  public double inLimiters() {
    return measured.excess.inLimiters();
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
    if (effect == Effect.POOL_WAIT && measured.fromMeters) {
      return PoolMeters.of(measured.incident.timeline())
          .map(pool -> Map.of(pool.name(), pool.waiting(window).orElse(0)))
          .orElse(Map.of());
    }
    if (effect == Effect.UNACCOUNTED) {
      return WindowTimes.ownWaits(measured.incident.timeline(), window);
    }
    return measured.fromDumps.containsKey(effect)
        ? DumpTimes.seen(measured.incident, window, effect, 0)
            .map(DumpedWaits::bySubject)
            .orElse(Map.of())
        : WindowTimes.sites(measured.incident.timeline(), effect, window);
  }

  /** Effects whose waiting is seen in thread dumps and not in events. */
  public Set<Effect> fromDumps() {
    return Collections.unmodifiableSet(measured.fromDumps.keySet());
  }

  /** What thread dumps show of an effect, if that is what it is measured by. */
  public Optional<DumpedWaits> inDumps(Effect effect) {
    return Optional.ofNullable(measured.fromDumps.get(effect));
  }

  /**
   * Waiting that dumps show and events do not, where these were taken after stops: it bounds the
   * time lost so, and none of it is counted.
   */
  public Map<Effect, DumpedWaits> afterStops() {
    return Collections.unmodifiableMap(measured.afterStops);
  }

  /** What thread dumps by themselves show of an effect, beside what events do. */
  public Relation relation(Effect effect) {
    return measured.relations.getOrDefault(effect, Relation.ALONE);
  }

  /** Whether the waiting for connections is known by the meters of the pool alone. */
  public boolean fromMeters() {
    return measured.fromMeters;
  }

  /** The lost time at stops for thread dumps and the recorder, which the excess leaves out. */
  public double observerSeconds() {
    return measured.observerSeconds;
  }

  /**
   * All excess by what was recorded, in thread-seconds, before the load test's figures bound it:
   * the two can be held against each other.
   */
  public double recordedExcessSeconds() {
    return measured.recordedSeconds;
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
}
