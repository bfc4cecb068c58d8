package io.gcdiag.rules;

import io.gcdiag.evidence.GcPause;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.Signal;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.PauseTotals;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Ratio;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Collections whose stated cause is a root cause by itself: System.gc(), GCLocker and so on. */
public final class CollectionCauseRule implements Rule {

  private static final List<Hypothesis> CAUSES =
      List.of(
          Hypothesis.EXPLICIT_GC,
          Hypothesis.GC_LOCKER,
          Hypothesis.HUMONGOUS_ALLOCATION,
          Hypothesis.METASPACE_PRESSURE);

  @Override
  public String id() {
    return "collection-cause";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.GC_PAUSES);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.copyOf(CAUSES);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    List<GcPause> pauses = incident.timeline().pauses(incident.windows().incident());
    StoppedTimeSplit split = StoppedTimeSplit.of(incident);
    List<Finding> findings = new ArrayList<>();
    for (Hypothesis cause : CAUSES) {
      List<GcPause> own =
          pauses.stream()
              .filter(p -> CollectionCause.of(p).filter(cause::equals).isPresent())
              .toList();
      if (!own.isEmpty()) {
        findings.add(finding(cause, own, pauses.size(), split.share(cause)));
      }
    }
    return findings;
  }

  private Finding finding(Hypothesis cause, List<GcPause> own, int all, double share) {
    PauseTotals totals = PauseTotals.of(own, 1);
    return Finding.of(
            id(),
            own.size()
                + " of "
                + all
                + " pauses have the cause '"
                + own.get(0).cause()
                + "' ("
                + Durations.format(totals.sum())
                + " in all, longest "
                + Durations.format(totals.longest())
                + "); its own part is "
                + new Ratio(share)
                + " of the stopped time's growth")
        .value("pauses", own.size())
        .value("pauseSeconds", Durations.seconds(totals.sum()))
        .value("ownShare", share)
        .from(own.get(0).source())
        .explains(cause, Effect.STOPPED, share)
        .build();
  }
}
