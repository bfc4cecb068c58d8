package io.gcdiag.causes.stops;

import io.gcdiag.books.Finding;
import io.gcdiag.books.FindingBuilder;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Judges;
import io.gcdiag.books.Rule;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.GcPause;
import io.gcdiag.evidence.threads.WaitKind;
import io.gcdiag.evidence.threads.WaitSeries;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Hands on what requests lost and nothing recorded: as much as queues up before a service that is
 * stopped so often or so long (see {@link PauseQueue}), beyond what is in the ledger already.
 */
@Judges(
    value = {
      Hypothesis.MEMORY_PRESSURE,
      Hypothesis.MEMORY_LEAK,
      Hypothesis.FINALIZER_BACKLOG,
      Hypothesis.GC_LOCKER
    },
    needs = Signal.GC_PAUSES)
final class StandstillQueueRule implements Rule {

  private static final List<Effect> SEEN =
      List.of(
          Effect.STOPPED,
          Effect.SAFEPOINT,
          Effect.ALLOCATION_STALL,
          Effect.POOL_WAIT,
          Effect.WORKER_WAIT);

  @Override
  public List<Finding> examine(Case incident) {
    EffectTimes times = incident.effects();
    double unrecorded = times.excessSeconds(Effect.UNACCOUNTED);
    Optional<PauseQueue> flow = unrecorded > 0 ? PauseQueue.of(incident) : Optional.empty();
    Optional<Source> source = source(incident.timeline());
    if (flow.isEmpty() || source.isEmpty()) {
      return List.of();
    }
    double seen = SEEN.stream().mapToDouble(times::excessSeconds).sum();
    double missing = flow.get().waitedSeconds() - seen;
    double part = Math.max(0, Math.min(1, missing / unrecorded));
    return part < Policy.NEGLIGIBLE
        ? List.of()
        : List.of(handOn(flow.get(), unrecorded, seen, part, source.get()));
  }

  private Finding handOn(
      PauseQueue flow, double unrecorded, double seen, double part, Source source) {
    double blocked = flow.blockedSeconds().values().stream().mapToDouble(d -> d).sum();
    String how =
        ("requests queue during stop-the-world pauses: at this rate %s of waiting in"
                + " total, of which %s is recorded")
            .formatted(Durations.format(flow.waitedSeconds()), Durations.format(seen));
    FindingBuilder finding =
        Finding.of(
                id(),
                ("the service was stopped for %s of the window; %s: %s of the lost time that"
                        + " no event covers")
                    .formatted(Durations.format(blocked), how, new Ratio(part)))
            .value("stoodStillSeconds", blocked)
            .value("queuedSeconds", flow.waitedSeconds())
            .value("unrecordedSeconds", unrecorded)
            .from(source);
    for (Map.Entry<Effect, Double> one : flow.blockedSeconds().entrySet()) {
      finding.passes(Effect.UNACCOUNTED, one.getKey(), part * one.getValue() / blocked, how);
    }
    return finding.build();
  }

  private static Optional<Source> source(Timeline timeline) {
    return timeline.waits(WaitKind.ALLOCATION_STALL).stream()
        .map(WaitSeries::source)
        .findFirst()
        .or(() -> timeline.pauses().stream().map(GcPause::source).findFirst());
  }
}
