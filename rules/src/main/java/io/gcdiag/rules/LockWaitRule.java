package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.WaitKind;
import io.gcdiag.evidence.WaitSeries;
import io.gcdiag.evidence.Window;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.EffectTimes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Names the lock that request threads wait for most, and what of it goes with pauses. */
public final class LockWaitRule implements Rule {

  @Override
  public String id() {
    return "lock-wait";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.MONITOR_WAITS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.LOCK_CONTENTION);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    Timeline timeline = incident.timeline();
    Window window = incident.windows().incident();
    List<WaitSeries> locks = EffectTimes.userWaits(timeline, WaitKind.LOCK);
    double waited = locks.stream().mapToDouble(s -> s.within(window).waitedSeconds()).sum();
    if (waited <= 0) {
      return List.of();
    }
    WaitSeries top =
        locks.stream()
            .max(Comparator.comparingDouble(s -> s.within(window).waitedSeconds()))
            .orElseThrow();
    WaitSeries.Totals totals = top.within(window);
    double stalls = StallCoincidence.fraction(locks, timeline.pauses(window), window);
    return List.of(
        Finding.of(
                id(),
                "request threads waited "
                    + Durations.format(Durations.ofSeconds(waited))
                    + " for locks, most for "
                    + top.site().name()
                    + " at "
                    + top.site().stack()
                    + " ("
                    + Numbers.count(totals.count())
                    + " waits)")
            .value("waitedSeconds", waited)
            .value("shareWithPauses", stalls)
            .from(top.source())
            .explains(Hypothesis.LOCK_CONTENTION, Effect.LOCK_WAIT, 1 - stalls)
            .passes(
                Effect.LOCK_WAIT,
                Effect.STOPPED,
                stalls,
                new Ratio(stalls) + " of the waiting for locks goes together with pauses")
            .build());
  }
}
