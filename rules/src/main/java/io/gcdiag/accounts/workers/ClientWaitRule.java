package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.threads.ThreadSnapshot;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/** Asks whether request threads wait for clients that read or send slowly. */
public final class ClientWaitRule implements Rule {

  /** Waits of a recording or dumps, whichever there are. */
  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.SLOW_CLIENTS);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    EffectTimes times = EffectTimes.of(incident);
    double threads = times.during(Effect.CLIENT_WAIT);
    if (threads < Policy.LEAST_THREADS_FELT) {
      return List.of();
    }
    FindingBuilder finding =
        (times.fromDumps().contains(Effect.CLIENT_WAIT) ? dumped(incident) : recorded(incident))
            .value("threadsWaiting", threads);
    OptionalDouble before = times.before(Effect.CLIENT_WAIT);
    before.ifPresent(usual -> finding.value("threadsWaitingBefore", usual));
    return List.of(
        times.excessSeconds(Effect.CLIENT_WAIT) > 0
            ? finding.explains(Hypothesis.SLOW_CLIENTS, Effect.CLIENT_WAIT, 1).build()
            : finding.weakens(Hypothesis.SLOW_CLIENTS).build());
  }

  private FindingBuilder recorded(Incident incident) {
    Window window = incident.windows().incident();
    List<WaitSeries> waits = UserWaits.of(incident.timeline(), WaitKind.CLIENT);
    double waited = waits.stream().mapToDouble(one -> one.within(window).waitedSeconds()).sum();
    WaitSeries most =
        waits.stream()
            .max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()))
            .orElseThrow();
    long count = waits.stream().mapToLong(one -> one.within(window).count()).sum();
    return Finding.of(
            id(),
            "request threads waited "
                + Durations.format(Durations.ofSeconds(waited))
                + " for slow clients ("
                + most.site().name()
                + ", "
                + Numbers.count(count)
                + (count == 1 ? " wait)" : " waits)"))
        .from(most.source());
  }

  private FindingBuilder dumped(Incident incident) {
    List<ThreadSnapshot> dumps = DumpTimes.during(incident);
    ThreadSnapshot worst =
        dumps.stream().max(Comparator.comparingLong(ClientWaitRule::waiting)).orElseThrow();
    long met = dumps.stream().filter(dump -> waiting(dump) > 0).count();
    return Finding.of(
            id(),
            waiting(worst)
                + " of "
                + ThreadsAtWork.of(worst).size()
                + " threads at work wait for a slow client ("
                + ThreadsAtWork.most(dumps, ThreadActivity.WAITING_FOR_CLIENT, false)
                + "), in "
                + met
                + " of "
                + (dumps.size() == 1 ? "1 dump" : dumps.size() + " dumps"))
        .value("waiting", waiting(worst))
        .value("atWork", ThreadsAtWork.of(worst).size())
        .from(dumps.stream().map(ThreadSnapshot::source).toList());
  }

  private static long waiting(ThreadSnapshot dump) {
    return ThreadsAtWork.count(dump, ThreadActivity.WAITING_FOR_CLIENT);
  }
}
