package io.gcdiag.accounts.sleep;

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
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Asks thread dumps whether requests sleep, where no recording can see it. Who waits in a limiter
 * for its turn stands in a queue; how long other sleeping takes when all is well, dumps do not say.
 */
public final class SleepingThreadsRule implements Rule {

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.THREAD_DUMPS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.REQUESTS_SLEEP);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    EffectTimes times = EffectTimes.of(incident);
    if (!times.fromDumps().contains(Effect.SLEEP)) {
      return List.of();
    }
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    boolean queue = times.excessSeconds(Effect.SLEEP) > 0;
    boolean mostly = !ThreadsAtWork.mostly(dumps, ThreadActivity.SLEEPING).isEmpty();
    return queue || mostly ? List.of(blame(times, dumps, queue)) : List.of();
  }

  private Finding blame(EffectTimes times, List<ThreadSnapshot> dumps, boolean queue) {
    ThreadSnapshot worst =
        dumps.stream().max(Comparator.comparingLong(SleepingThreadsRule::asleep)).orElseThrow();
    long met = dumps.stream().filter(dump -> asleep(dump) > 0).count();
    String limiter = ThreadsAtWork.most(dumps, ThreadActivity.SLEEPING, false);
    FindingBuilder finding =
        Finding.of(
                id(),
                "up to "
                    + asleep(worst)
                    + " of "
                    + ThreadsAtWork.of(worst).size()
                    + " threads at work sleep, most "
                    + (limiter.isEmpty() ? "" : "in " + limiter + " ")
                    + "at "
                    + ThreadsAtWork.most(dumps, ThreadActivity.SLEEPING, true)
                    + ", in "
                    + met
                    + " of "
                    + (dumps.size() == 1 ? "1 dump" : dumps.size() + " dumps")
                    + (queue ? "" : "; dumps alone do not show how much of that is normal"))
            .value("asleep", asleep(worst))
            .value("atWork", ThreadsAtWork.of(worst).size())
            .value("inLimiters", times.inLimiters())
            .value("dumps", met)
            .from(dumps.stream().map(ThreadSnapshot::source).toList());
    return queue
        ? finding.explains(Hypothesis.REQUESTS_SLEEP, Effect.SLEEP, 1).build()
        : finding.supports(Hypothesis.REQUESTS_SLEEP).build();
  }

  private static long asleep(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.SLEEPING);
  }
}
