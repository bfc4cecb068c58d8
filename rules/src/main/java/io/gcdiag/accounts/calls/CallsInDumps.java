package io.gcdiag.accounts.calls;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.cores.MachineLoad;
import io.gcdiag.measures.cores.WakeDelay;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.effects.UnrecordedStops;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.List;
import java.util.Optional;

/** What is found where thread dumps show calls and events do not. */
final class CallsInDumps {

  private CallsInDumps() {}

  /**
   * Calls that most threads at work are in, where no event shows how long calls take. It is a lead:
   * services that do little else look so when all is well, too. Where a load test shows that fewer
   * requests were in progress before than threads are in calls now, the calls take longer.
   */
  static Optional<Finding> unrecorded(String rule, Case incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> most =
        ThreadsAtWork.mostly(dumps, ThreadActivity.IN_DOWNSTREAM_CALL).stream()
            .filter(
                dump ->
                    ThreadsAtWork.count(dump, ThreadActivity.IN_DOWNSTREAM_CALL)
                        >= Policy.FEWEST_COUNTED)
            .toList();
    if (!DumpTimes.areOften(most.size(), dumps)) {
      return Optional.empty();
    }
    FindingBuilder finding =
        ThreadsAtWork.finding(
            rule, dumps, ThreadActivity.IN_DOWNSTREAM_CALL, "are in downstream calls");
    return Optional.of(
        (grew(incident)
                ? finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1)
                : finding.supports(Hypothesis.SLOW_DOWNSTREAM))
            .build());
  }

  /**
   * Whether more threads are in calls, by all that so few dumps allow, than the load test allows
   * requests in progress before. Pauses make requests wait in their calls as well: they must be
   * known to be rare.
   */
  private static boolean grew(Case incident) {
    EffectTimes times = incident.effects();
    return times.isBoundBefore(Effect.DOWNSTREAM_WAIT)
        && UnrecordedStops.atMost(incident) < Policy.NOTABLE
        && times
            .inDumps(Effect.DOWNSTREAM_WAIT)
            .filter(seen -> seen.low() > times.boundBefore(Effect.DOWNSTREAM_WAIT))
            .isPresent();
  }

  /** Calls that dumps show and no event, of a client that reads for many of them at once. */
  static Finding finding(String rule, Incident incident, EffectTimes times) {
    double excess = times.excessSeconds(Effect.DOWNSTREAM_WAIT);
    double before = times.during(Effect.DOWNSTREAM_WAIT) - excess / incident.window().seconds();
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    FindingBuilder finding =
        Finding.of(
                rule,
                "in "
                    + (dumps.size() == 1 ? "one thread dump " : dumps.size() + " thread dumps ")
                    + Numbers.threeDigits(times.during(Effect.DOWNSTREAM_WAIT))
                    + " threads on average are in calls ("
                    + String.join(
                        ", ", times.sites(Effect.DOWNSTREAM_WAIT, incident.window()).keySet())
                    + ") that no event covers; "
                    + (incident.baseline().isPresent()
                        ? "before at most "
                            + Numbers.threeDigits(before)
                            + ", by the requests in progress"
                        : "if all requests were as fast as the fastest of the load test, at least "
                            + Numbers.threeDigits(excess / incident.window().seconds())
                            + " fewer would be in progress"))
            .value("threadsDuring", times.during(Effect.DOWNSTREAM_WAIT))
            .value("threadsBefore", before)
            .value("shareOfExcess", DownstreamTimeRule.share(excess, times));
    dumps.forEach(dump -> finding.from(dump.source()));
    if (DownstreamTimeRule.share(excess, times) < Policy.NOTABLE || mayBeStarved(incident)) {
      finding.supports(Hypothesis.SLOW_DOWNSTREAM);
    } else {
      finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1);
    }
    return finding.build();
  }

  /**
   * Whether cores are a reason why answers come late: the remote host may run on this machine. Not
   * if it has become full and this JVM's threads get CPU at once.
   */
  private static boolean mayBeStarved(Incident incident) {
    return MachineLoad.becameFull(incident)
        && WakeDelay.of(incident.timeline(), incident.window())
            .filter(delay -> !delay.isLate())
            .isEmpty();
  }
}
