package io.gcdiag.causes.pool;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.PoolDemand;
import io.gcdiag.measures.threads.PoolDemand.Known;
import io.gcdiag.measures.threads.PoolMeters;
import io.gcdiag.policy.Policy;
import io.gcdiag.queueing.LittlesLaw;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Rate;
import io.gcdiag.units.Ratio;
import java.time.Duration;
import java.util.Optional;

/**
 * Compares the connections that the demand needs, {@code L = lambda x S} (J. D. C. Little, 1961),
 * with the pool's size. How much of the observed waiting the size accounts for is the business of
 * {@link PoolInEvents}.
 */
record PoolByFigures(String rule, MeasuredIncident incident) {

  /** What two decimals can show. */
  private static final double LEAST_PRINTED = 0.01;

  Optional<Finding> finding() {
    return PoolDemand.Figures.of(incident).map(this::judge);
  }

  /**
   * A stated hold is that of normal operation: where the pool was empty, it was held for longer.
   */
  private boolean isSeenFull() {
    return !isStated(incident.timeline())
        && (PoolSaturation.share(incident) > Policy.MAJORITY || incident.effects().fromMeters());
  }

  /**
   * Whether the operator states how long a connection is held, and by that and exact figures of
   * demand and size the pool has clear room: then whatever empties it is not its size.
   */
  static boolean hasRoomAsStated(Incident incident) {
    return isStated(incident.timeline())
        && PoolDemand.Figures.of(incident)
            .filter(figures -> figures.exact() && figures.use() <= Policy.CLEAR_ROOM)
            .isPresent();
  }

  private static boolean isStated(Timeline timeline) {
    return timeline.operator().hold().filter(hold -> !hold.isZero()).isPresent();
  }

  private Finding judge(PoolDemand.Figures figures) {
    Known<Rate> rate = figures.rate();
    Known<Duration> hold = figures.hold();
    Known<Integer> size = figures.size();
    double needed = figures.law().concurrency();
    double use = figures.use();
    String product =
        "rate x %s = %s%s x %s%s = %s"
            .formatted(
                figures.holdOfBaseline() ? "the baseline's hold" : "hold",
                bound(rate),
                rate.value(),
                bound(hold),
                Durations.format(hold.value()),
                connections(needed));
    String atMost = figures.bound().isEmpty() ? "" : figures.bound() + " ";
    String sizeText = bound(size) + size.value();
    // A mean over baseline and incident shows room that was not there when borrowers waited.
    boolean room = use <= Policy.CLEAR_ROOM && !isSeenFull();
    // What is served from a pool without room is what it lets through, and not the demand.
    boolean limited = incident.timeline().operator().rate().isEmpty() && !room && use <= 1;
    String share = "(" + atMost + new Ratio(use) + ")";
    String part = atMost + connections(needed) + " of " + sizeText;
    boolean asBefore = limited && isUsedMore(needed);
    String usual = asBefore ? ", held as long as in the baseline" : "";
    boolean hardly = needed < LEAST_PRINTED;
    String number = hardly ? "less than 0.01" : connections(needed);
    String ofPool = " of " + sizeText + (size.value() == 1 ? " connection" : " connections");
    String enough = size.bound().isEmpty() ? ofPool : " of " + size.value() + " or more";
    String brief =
        limited
            ? part + (asBefore ? " connections would be in use" : " connections in use") + usual
            : "needs " + (hardly ? "" : atMost) + number + ofPool;
    FindingBuilder finding =
        Finding.of(
                rule,
                limited
                    ? ("Little's law: %s connections %s in use on average %s%s; threads that wait"
                            + " for one add to the demand")
                        .formatted(part, asBefore ? "would be" : "are", share, usual)
                    : "Little's law: the demand needs %s%s connections of a pool of %s (%s%s in use)"
                        .formatted(
                            atMost, connections(needed), sizeText, atMost, new Ratio(use).share()))
            .brief(brief)
            .brief(
                Hypothesis.CONNECTION_POOL_UNDERSIZED,
                room ? number + enough + " are enough" : brief)
            .figure(
                (limited ? "connections in use, mean" : "connections needed") + usual,
                neededBefore(hold),
                part)
            .sum("connections " + (limited ? "in use" : "needed") + " = " + product)
            .sum(
                "use of the pool = %s / %s = %s"
                    .formatted(connections(needed), size.value(), new Ratio(use).share()))
            .sum("rate: " + rate.basis())
            .sum("hold: " + hold.basis())
            .sum("size: " + size.basis())
            .value("arrivalsPerSecond", rate.value().perSecond())
            .value("holdSeconds", Durations.seconds(hold.value()))
            .value("connectionsNeeded", needed)
            .value("poolSize", size.value())
            .value("utilisation", use)
            .from(rate.source())
            .from(hold.source())
            .from(size.source());
    if (room) {
      finding.refutes(Hypothesis.CONNECTION_POOL_UNDERSIZED);
    } else if (figures.exact()) {
      // Bounds err towards a pool that looks too small: they can clear it, but not accuse it.
      finding.supports(Hypothesis.CONNECTION_POOL_UNDERSIZED);
    }
    return finding.build();
  }

  /**
   * Whether the pool's own meters have clearly more connections in use than its usual holds need.
   */
  private boolean isUsedMore(double needed) {
    return PoolMeters.of(incident.timeline()).stream()
        .flatMapToDouble(pool -> pool.inUse(incident.window()).stream())
        .anyMatch(used -> used > (1 + Policy.SAMPLES_GOOD_TO) * needed);
  }

  /** Connections that the baseline's rate needs; empty where it is not known apart. */
  private Optional<String> neededBefore(Known<Duration> hold) {
    return incident
        .baseline()
        .filter(window -> incident.timeline().requestsOfSpan().isPresent())
        .flatMap(window -> PoolDemand.rate(incident, window))
        .map(rate -> new LittlesLaw(rate.value().perSecond(), hold.value()).concurrency())
        .map(PoolByFigures::connections);
  }

  private static String bound(Known<?> figure) {
    return figure.bound().isEmpty() ? "" : figure.bound() + " ";
  }

  /** Two decimals; of less than a hundredth as many as it takes. */
  private static String connections(double needed) {
    return needed < LEAST_PRINTED ? Numbers.threeSignificant(needed) : Numbers.decimals(needed, 2);
  }
}
