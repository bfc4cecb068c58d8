package io.gcdiag.rules;

import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.SafepointStop;
import io.gcdiag.evidence.Signal;
import io.gcdiag.ledger.Effect;
import io.gcdiag.ledger.SafepointTimes;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import io.gcdiag.units.Ratio;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Measures what safepoints cost beside the collections that are done at them. */
public final class SafepointTimeRule implements Rule {

  /** Less than one part in a hundred of the time is not felt. */
  private static final double NEGLIGIBLE = 0.01;

  @Override
  public String id() {
    return "safepoint-time";
  }

  @Override
  public Set<Signal> needs() {
    return Set.of(Signal.SAFEPOINTS);
  }

  @Override
  public Set<Hypothesis> judges() {
    return Set.of(Hypothesis.SAFEPOINT_STALL);
  }

  @Override
  public List<Finding> examine(Incident incident) {
    SafepointTimes times = SafepointTimes.of(incident.timeline(), incident.windows().incident());
    Optional<SafepointStop> longest = times.longest();
    if (longest.isEmpty()) {
      return List.of();
    }
    double stalls = times.lostSeconds() > 0 ? times.stallSeconds() / times.lostSeconds() : 0;
    boolean felt = times.share() * stalls >= NEGLIGIBLE;
    FindingBuilder finding =
        Finding.of(
                id(),
                Numbers.count(times.stops())
                    + " safepoints cost "
                    + Durations.format(Durations.ofSeconds(times.lostSeconds()))
                    + " beside the collections done at them ("
                    + new Ratio(times.share())
                    + " of the time), the longest "
                    + Durations.format(longest.get().lost())
                    + operation(longest.get()))
            .value("safepoints", times.stops())
            .value("lostSeconds", times.lostSeconds())
            .value("stallSeconds", times.stallSeconds())
            .value("share", times.share())
            .value("longestReachingSeconds", Durations.seconds(longest.get().reaching()))
            .sum(
                "of the longest "
                    + Durations.format(longest.get().reaching())
                    + " passed until the last thread had stopped")
            .from(longest.get().source());
    if (felt) {
      finding.explains(Hypothesis.SAFEPOINT_STALL, Effect.SAFEPOINT, stalls);
    } else {
      finding.refutes(Hypothesis.SAFEPOINT_STALL);
    }
    finding.passes(
        Effect.SAFEPOINT,
        Effect.STOPPED,
        felt ? 1 - stalls : 1,
        "threads have to stop before each collection");
    return List.of(finding.build());
  }

  private static String operation(SafepointStop stop) {
    return stop.operation().isEmpty() ? "" : " (" + stop.operation() + ")";
  }
}
