package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.measures.CpuPerRequest;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.threads.DumpedWaits;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;

/**
 * A cause's place in the account of the lost time.
 *
 * @param outweighing threads that may wait for something not recorded, if that may be more of the
 *     lost time than the cause explains; else 0
 * @param unseen what these waits are, in words; empty if there are none
 * @param lessThanHalf whether the cause explains less of the lost time than is explained by others
 *     or unexplained; with its rival, if there is one
 * @param rival the other suspect, if these files do not tell which of them it is
 * @param beside another cause that explains a substantial part; empty if there is none
 * @param ofWholeRun whether most of the share is computing at the mean rate of the whole load test,
 *     and the incident's rate may have been different
 * @param measured whether a load test measured as much delay as was recorded, and most of it is
 *     this cause's: two independent measurements of the same lost time
 */
record ShareContext(
    double outweighing,
    String unseen,
    boolean lessThanHalf,
    Optional<Hypothesis> rival,
    Optional<Hypothesis> beside,
    boolean ofWholeRun,
    boolean measured) {

  static final ShareContext NONE =
      new ShareContext(0, "", false, Optional.empty(), Optional.empty(), false, false);

  /**
   * For one cause.
   *
   * @param effects the effects whose time is attributed to it
   * @param rival the other suspect with the largest share, if there are several
   */
  static ShareContext of(
      MeasuredIncident incident,
      Attribution attribution,
      Hypothesis cause,
      Set<Effect> effects,
      Optional<Hypothesis> rival) {
    double explained = attribution.seconds(cause) / incident.window().seconds();
    double hidden = incident.hidden().map(HiddenTime::more).orElse(0.0);
    // If a load test has latencies, the lost time is measured.
    double afterStops =
        incident.requests().isPresent()
            ? 0
            : incident.effects().afterStops().values().stream()
                .mapToDouble(DumpedWaits::threads)
                .sum();
    double most = Math.max(hidden, afterStops);
    // Causes that are not separable divide among them what one of them explains.
    double joint = attribution.share(cause) + rival.map(attribution::share).orElse(0.0);
    return new ShareContext(
        most > explained ? most : 0,
        hidden >= afterStops
            ? "waits too short to be recorded"
            : "waits in thread dumps taken after pauses",
        attribution.anyLost() && joint < Policy.MAJORITY,
        rival,
        Hypothesis.catalogue().stream()
            .filter(other -> other != cause && attribution.share(other) >= Policy.SUBSTANTIAL)
            .max(Comparator.comparingDouble(attribution::share)),
        isOfWholeRun(incident, attribution.seconds(cause), effects),
        attribution.share(cause) >= Policy.MAJORITY && isAsMeasured(incident));
  }

  private static boolean isOfWholeRun(
      MeasuredIncident incident, double explained, Set<Effect> effects) {
    return effects.contains(Effect.RUNNING)
        && CpuPerRequest.of(incident).isEmpty()
        && incident.effects().excessSeconds(Effect.RUNNING) >= Policy.MAJORITY * explained;
  }

  private static boolean isAsMeasured(MeasuredIncident incident) {
    double recorded = incident.effects().recordedExcessSeconds();
    return incident
        .requests()
        .or(incident::run)
        .filter(felt -> Math.abs(recorded - felt.seconds()) <= Policy.SUBSTANTIAL * felt.seconds())
        .isPresent();
  }
}
