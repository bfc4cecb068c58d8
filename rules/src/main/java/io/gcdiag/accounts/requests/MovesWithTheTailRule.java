package io.gcdiag.accounts.requests;

import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.causes.Judges;
import io.gcdiag.causes.Rule;
import io.gcdiag.correlation.CorrelationRequest;
import io.gcdiag.correlation.Correlator;
import io.gcdiag.correlation.Correlator.SubjectLead;
import io.gcdiag.correlation.Lead;
import io.gcdiag.correlation.Lead.Strength;
import io.gcdiag.correlation.Lead.Verdict;
import io.gcdiag.correlation.Percentile;
import io.gcdiag.correlation.Subject;
import io.gcdiag.measures.Case;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Says which of the series that root causes would show in moves with the tail of the latency: a
 * lead, never a proof. It explains no time and makes no verdict surer; what does not move with the
 * tail is not cleared by that either, for a step at one time is one observation.
 */
@Judges({
  Hypothesis.MEMORY_PRESSURE,
  Hypothesis.ALLOCATION_CHURN,
  Hypothesis.CPU_SATURATION,
  Hypothesis.HOST_CPU_CONTENTION,
  Hypothesis.CONNECTION_POOL_UNDERSIZED,
  Hypothesis.CONNECTION_LEAK,
  Hypothesis.SLOW_DOWNSTREAM,
  Hypothesis.LOCK_CONTENTION,
  Hypothesis.THREAD_POOL_EXHAUSTED
})
public final class MovesWithTheTailRule implements Rule {

  /** The tail that {@code gcdiag correlate} takes by default. */
  private static final CorrelationRequest TAIL =
      new CorrelationRequest(new Percentile(95), Optional.empty());

  /** In what each root cause would show. Others show in none of them, or in many. */
  private static final Map<Subject, List<Hypothesis>> OWN =
      new EnumMap<>(
          Map.of(
              Subject.PAUSES, List.of(Hypothesis.MEMORY_PRESSURE, Hypothesis.ALLOCATION_CHURN),
              Subject.ALLOCATION, List.of(Hypothesis.ALLOCATION_CHURN),
              Subject.OWN_CPU, List.of(Hypothesis.CPU_SATURATION),
              Subject.OTHER_CPU, List.of(Hypothesis.HOST_CPU_CONTENTION),
              Subject.POOL,
                  List.of(Hypothesis.CONNECTION_POOL_UNDERSIZED, Hypothesis.CONNECTION_LEAK),
              Subject.DOWNSTREAM, List.of(Hypothesis.SLOW_DOWNSTREAM),
              Subject.LOCKS, List.of(Hypothesis.LOCK_CONTENTION),
              Subject.WORKERS, List.of(Hypothesis.THREAD_POOL_EXHAUSTED)));

  @Override
  public List<Finding> examine(Case incident) {
    List<Finding> findings = new ArrayList<>();
    for (SubjectLead known : Correlator.bySubject(incident.timeline(), TAIL)) {
      Lead lead = known.lead();
      // A cause moves before what it causes, or at the same time, and in the same direction.
      boolean together =
          lead.verdict() == Verdict.MOVES && lead.strength().orElseThrow().pearson() > 0;
      boolean ahead =
          lead.verdict() == Verdict.SHIFTED
              && lead.shift().filter(s -> s.leads() && s.pearson() > 0).isPresent();
      if (OWN.containsKey(known.subject()) && (together || ahead)) {
        findings.add(finding(known));
      }
    }
    return findings;
  }

  private Finding finding(SubjectLead known) {
    Lead lead = known.lead();
    Strength strength = lead.strength().orElseThrow();
    String relation =
        lead.verdict() == Verdict.SHIFTED
            ? " moves %s ahead of %s (r = %s"
                .formatted(
                    Durations.format(lead.shift().orElseThrow().by()),
                    known.basis().tail(),
                    coefficient(lead.shift().orElseThrow().pearson()))
            : " moves with %s (r = %s, %s to %s"
                .formatted(
                    known.basis().tail(),
                    coefficient(strength.pearson()),
                    coefficient(strength.low()),
                    coefficient(strength.high()));
    FindingBuilder finding =
        Finding.of(
                id(),
                lead.name()
                    + relation
                    + ", "
                    + lead.intervals()
                    + " intervals of "
                    + Durations.format(known.basis().interval())
                    + "): a lead, not a proof")
            .value("pearson", strength.pearson())
            .value("pearsonLow", strength.low())
            .value("pearsonHigh", strength.high())
            .value("intervals", lead.intervals())
            .value("effectiveIntervals", strength.effectiveIntervals())
            .value("chanceCorrected", strength.chanceCorrected())
            .from(known.basis().source())
            .from(lead.source());
    OWN.get(known.subject()).forEach(finding::accompanies);
    return finding.build();
  }

  private static String coefficient(double r) {
    return Numbers.decimals(r, 2);
  }
}
