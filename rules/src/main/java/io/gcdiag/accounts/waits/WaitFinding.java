package io.gcdiag.accounts.waits;

import io.gcdiag.accounts.workers.ThreadsAtWork;
import io.gcdiag.causes.Finding;
import io.gcdiag.causes.FindingBuilder;
import io.gcdiag.causes.Hypothesis;
import io.gcdiag.evidence.Incident;
import io.gcdiag.evidence.threads.ThreadActivity;
import io.gcdiag.evidence.waits.WaitKind;
import io.gcdiag.evidence.waits.WaitSeries;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.effects.EffectTimes;
import io.gcdiag.measures.effects.WaitEstimate.Relation;
import io.gcdiag.measures.waits.DumpTimes;
import io.gcdiag.measures.waits.Effect;
import io.gcdiag.measures.waits.UserWaits;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Durations;
import io.gcdiag.units.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What a rule finds that asks for one kind of wait of request threads: how many wait, for how long
 * and where, by recorded waits, or by thread dumps where these show what no event does.
 *
 * @param rule the id of the rule
 * @param effect the effect that this kind of wait measures
 * @param what is waited for, in words
 */
public record WaitFinding(String rule, Effect effect, String what) {

  /**
   * The finding so far, without what it says for a cause; empty if too few threads wait.
   *
   * @param more the end of its sentence, from the semicolon; may be empty
   */
  Optional<FindingBuilder> finding(Case incident, String more) {
    EffectTimes times = incident.effects();
    double threads = times.during(effect);
    if (threads < Policy.LEAST_THREADS_FELT) {
      return Optional.empty();
    }
    FindingBuilder finding =
        (times.fromDumps().contains(effect) ? dumped(incident, more) : recorded(incident, more))
            .value("threadsWaiting", threads);
    OptionalDouble before = times.before(effect);
    return Optional.of(
        finding
            .value("threadsWaitingBefore", before)
            .figure(
                "request threads waiting for " + what + ", mean",
                before,
                threads,
                Numbers::threeDigits));
  }

  /**
   * The same of a cause that explains all such waits: what they are more than in the baseline, or
   * without one all of them. Where they are no more it is evidence against the cause. Dumps that
   * show by themselves what events do are evidence of their own.
   */
  public List<Finding> explains(Case incident, Hypothesis cause, String more) {
    EffectTimes times = incident.effects();
    boolean longer = times.excessSeconds(effect) > 0;
    List<Finding> findings = new ArrayList<>();
    finding(incident, more)
        .map(found -> longer ? found.explains(cause, effect, 1) : found.weakens(cause))
        .map(FindingBuilder::build)
        .ifPresent(findings::add);
    if (longer && times.relation(effect) == Relation.AGREE) {
      findings.add(dumped(incident, "").supports(cause).build());
    }
    return findings;
  }

  private FindingBuilder dumped(Incident incident, String more) {
    return ThreadsAtWork.finding(
        rule, DumpTimes.during(incident), ThreadActivity.of(kind()), "wait for " + what, more);
  }

  private FindingBuilder recorded(Incident incident, String more) {
    List<WaitSeries> waits = UserWaits.of(incident.timeline(), kind());
    WaitSeries most = WaitSeries.longest(waits, incident.window()).orElseThrow();
    WaitSeries.Totals all = WaitSeries.totals(waits, incident.window());
    return Finding.of(
            rule,
            "request threads waited %s for %s%s, most at %s, in %s%s"
                .formatted(
                    Durations.format(all.waitedSeconds()),
                    what,
                    inBrackets(most.site().name()),
                    most.site().stack(),
                    Numbers.counted(all.count(), "wait"),
                    more))
        .from(most.source());
  }

  private static String inBrackets(String name) {
    return name.isEmpty() ? "" : " (" + name + ")";
  }

  private WaitKind kind() {
    return effect.waitsFor().orElseThrow();
  }
}
