package io.gcdiag.accounts.calls;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.effects.UnrecordedStops;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Asks thread dumps whether most requests wait for others to answer, where no recording shows how
 * long calls take. It is a lead: services that do little else look so when all is well, too. Where
 * a load test shows that fewer requests were in progress before than threads are in calls now, the
 * calls take longer.
 */
public final class ThreadsInCallsRule implements Rule {

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.SLOW_DOWNSTREAM);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    if (incident.timeline().coverage().of(Signal.SOCKET_READS).recorded()) {
      return List.of();
    }
    Optional<Finding> notConnected = NotConnected.of(id(), incident);
    if (notConnected.isPresent()) {
      return List.of(notConnected.get());
    }
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    List<ThreadSnapshot> found =
        ThreadsAtWork.mostly(dumps, ThreadActivity.IN_DOWNSTREAM_CALL).stream()
            .filter(dump -> inCalls(dump) >= Policy.FEWEST_COUNTED)
            .toList();
    return 2 * found.size() < dumps.size() || found.size() < Policy.FEWEST_DUMPS
        ? List.of()
        : List.of(inCalls(incident, dumps.size(), found));
  }

  private Finding inCalls(Incident incident, int dumps, List<ThreadSnapshot> found) {
    ThreadSnapshot most =
        found.stream().max(Comparator.comparingLong(ThreadsInCallsRule::inCalls)).orElseThrow();
    int atWork = ThreadsAtWork.of(most).size();
    FindingBuilder finding =
        Finding.of(
                id(),
                Numbers.count(inCalls(most))
                    + " of "
                    + Numbers.count(atWork)
                    + " threads at work are in downstream calls, most through "
                    + ThreadsAtWork.most(found, ThreadActivity.IN_DOWNSTREAM_CALL, false)
                    + "; at least half of those at work are in "
                    + found.size()
                    + " of "
                    + dumps
                    + " dumps")
            .value("inCalls", inCalls(most))
            .value("atWork", atWork)
            .value("dumps", found.size())
            .from(found.stream().map(ThreadSnapshot::source).toList());
    return (grew(incident)
            ? finding.explains(Hypothesis.SLOW_DOWNSTREAM, Effect.DOWNSTREAM_WAIT, 1)
            : finding.supports(Hypothesis.SLOW_DOWNSTREAM))
        .build();
  }

  /**
   * Whether more threads are in calls, by all that so few dumps allow, than the load test allows
   * requests in progress before. Pauses make requests wait in their calls as well: they must be
   * known to be rare.
   */
  private static boolean grew(Incident incident) {
    EffectTimes times = EffectTimes.of(incident);
    return times.isBoundBefore(Effect.DOWNSTREAM_WAIT)
        && UnrecordedStops.atMost(incident) < Policy.NOTABLE
        && times
            .inDumps(Effect.DOWNSTREAM_WAIT)
            .filter(seen -> seen.low() > times.boundBefore(Effect.DOWNSTREAM_WAIT))
            .isPresent();
  }

  private static long inCalls(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.IN_DOWNSTREAM_CALL);
  }
}
