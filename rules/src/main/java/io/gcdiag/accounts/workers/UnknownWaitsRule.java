package io.gcdiag.accounts.workers;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Rule;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.source.Signal;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Names where request threads wait for something that no other cause covers, by the waits of a
 * recording: a latch, a condition, a child process.
 */
public final class UnknownWaitsRule implements Rule {

  /** Parks, waits for monitors, reads of pipes, whichever there are. */
  @Override
  public Set<Signal> needs() {
    return Set.of();
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.NATIVE_OR_UNKNOWN);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    EffectTimes times = EffectTimes.of(incident);
    double threads = times.during(Effect.OTHER_WAIT);
    if (threads < Policy.LEAST_THREADS_FELT) {
      return List.of();
    }
    FindingBuilder finding = finding(incident).value("threadsWaiting", threads);
    OptionalDouble before = times.before(Effect.OTHER_WAIT);
    before.ifPresent(usual -> finding.value("threadsWaitingBefore", usual));
    // Such waits may be part of what the service does: without a baseline they are a lead.
    if (before.isEmpty()) {
      return List.of(finding.supports(Hypothesis.NATIVE_OR_UNKNOWN).build());
    }
    return List.of(
        times.excessSeconds(Effect.OTHER_WAIT) > 0
            ? finding.explains(Hypothesis.NATIVE_OR_UNKNOWN, Effect.OTHER_WAIT, 1).build()
            : finding.weakens(Hypothesis.NATIVE_OR_UNKNOWN).build());
  }

  private FindingBuilder finding(Incident incident) {
    Window window = incident.windows().incident();
    List<WaitSeries> waits = UserWaits.of(incident.timeline(), WaitKind.OTHER);
    double waited = waits.stream().mapToDouble(one -> one.within(window).waitedSeconds()).sum();
    long count = waits.stream().mapToLong(one -> one.within(window).count()).sum();
    WaitSeries most =
        waits.stream()
            .max(Comparator.comparingDouble(one -> one.within(window).waitedSeconds()))
            .orElseThrow();
    String what = most.site().name().isEmpty() ? "" : " (" + most.site().name() + ")";
    return Finding.of(
            id(),
            "request threads waited "
                + Durations.format(Durations.ofSeconds(waited))
                + " for something that is no lock, pool, call or file, most at "
                + most.site().stack()
                + what
                + ", in "
                + Numbers.count(count)
                + (count == 1 ? " wait" : " waits"))
        .from(most.source());
  }
}
