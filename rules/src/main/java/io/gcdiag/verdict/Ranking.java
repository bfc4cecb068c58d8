package io.gcdiag.verdict;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Attribution;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Interval;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.measures.Case;
import io.gcdiag.measures.DelaySummary;
import io.gcdiag.measures.requests.RequestsOverTime;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Turns findings and shares into verdicts and their order. All policy is here.
 *
 * <ul>
 *   <li>A cause that is itself seen, such as a deadlock, is the primary suspect, whatever its
 *       share; others then contribute at most.
 *   <li>The cause with the largest share of the lost time is the primary suspect if it explains at
 *       least {@link Policy#SUBSTANTIAL}, clearly more than the next and half as much as is
 *       unexplained; two that cannot be separated both are.
 *   <li>A cause with at least {@link Policy#NOTABLE} contributes, if another one leads, and if it
 *       has as much of what may be in no recorded state as well.
 *   <li>What has cost no time yet and soon will, such as a leak, contributes as well; where there
 *       is no other lost time, it is the primary suspect, on that ground and without a share.
 *   <li>Evidence against rules out what explains too little to be distinguished from nothing.
 *   <li>What the inputs could not show is not enough data; so is what something supports, where
 *       nothing shows whether users were delayed. Such leads come before the rest of it.
 *   <li>What was looked for and not found is not indicated.
 * </ul>
 */
record Ranking(
    Case incident,
    List<Rule> rules,
    Map<Hypothesis, List<Rule>> judging,
    List<Finding> findings,
    Attribution attribution,
    UserImpact impact,
    List<CrossCheck> checks,
    ShareIntervals intervals,
    Completeness read) {

  /**
   * The whole catalogue, ranked.
   *
   * @param rules those that were asked
   * @param findings what they found
   * @param attribution the shares of the lost time, by these
   * @param impact whether there is any
   * @param checks facts from two sources
   */
  static List<Judgement> rank(
      Case incident,
      List<Rule> rules,
      List<Finding> findings,
      Attribution attribution,
      UserImpact impact,
      List<CrossCheck> checks) {
    return new Ranking(
            incident,
            rules,
            byHypothesis(rules),
            findings,
            attribution,
            impact,
            checks,
            new ShareIntervals(incident, incident.effects(), findings, attribution),
            Completeness.of(incident))
        .judged();
  }

  /** The rules that may speak about each root cause. */
  private static Map<Hypothesis, List<Rule>> byHypothesis(List<Rule> rules) {
    Map<Hypothesis, List<Rule>> judging = new EnumMap<>(Hypothesis.class);
    Hypothesis.catalogue().forEach(hypothesis -> judging.put(hypothesis, new ArrayList<>()));
    for (Rule rule : rules) {
      rule.judges().forEach(hypothesis -> judging.get(hypothesis).add(rule));
    }
    return judging;
  }

  private List<Judgement> judged() {
    Map<Hypothesis, Verdict> verdicts = new EnumMap<>(Hypothesis.class);
    double enough =
        Hypothesis.catalogue().stream()
            .max(Comparator.comparingDouble(this::share))
            .map(this::atLeast)
            .orElse(0.0);
    for (Hypothesis hypothesis : Hypothesis.catalogue()) {
      verdicts.put(hypothesis, verdict(hypothesis, enough));
    }
    if (!verdicts.containsValue(Verdict.PRIMARY_SUSPECT)) {
      verdicts.replaceAll((hypothesis, verdict) -> beside(hypothesis, verdict));
    }
    return Hypothesis.catalogue().stream()
        .sorted(
            Comparator.comparing((Hypothesis h) -> verdicts.get(h))
                .thenComparing(Comparator.comparingDouble(this::share).reversed())
                .thenComparing(h -> !isSpokenFor(h))
                .thenComparing(h -> -about(h).size())
                .thenComparing(Comparator.naturalOrder()))
        .map(hypothesis -> judgement(hypothesis, verdicts.get(hypothesis)))
        .toList();
  }

  /**
   * Where no cause leads, a small part of the lost time is no contribution to one that is known,
   * and the place at which most request threads stand is what to look at.
   */
  private Verdict beside(Hypothesis hypothesis, Verdict verdict) {
    if (hypothesis == Hypothesis.NATIVE_OR_UNKNOWN
        && verdict == Verdict.NOT_INDICATED
        && impact.present()
        && isSpokenFor(hypothesis)) {
      return Verdict.NOT_ENOUGH_DATA;
    }
    return verdict == Verdict.CONTRIBUTING
            && share(hypothesis) < Policy.SUBSTANTIAL
            && !isPending(hypothesis)
        ? Verdict.NOT_ENOUGH_DATA
        : verdict;
  }

  private double share(Hypothesis hypothesis) {
    return impact.present() ? attribution.share(hypothesis) : 0;
  }

  /** What the samples that its share rests on leave of it at least. */
  private double atLeast(Hypothesis hypothesis) {
    return intervals.sampled(hypothesis).map(Interval::low).orElse(share(hypothesis));
  }

  private double unexplained() {
    return impact.present() ? attribution.unexplained() : 0;
  }

  /**
   * @param enough what samples leave of the largest share at least
   */
  private Verdict verdict(Hypothesis hypothesis, double enough) {
    double share = share(hypothesis);
    if (isProven(hypothesis)) {
      return Verdict.PRIMARY_SUSPECT;
    }
    boolean leads =
        share >= Policy.SUBSTANTIAL
            && share >= Policy.MAJORITY * unexplained()
            && !intervals.mayBeNothing(hypothesis);
    if (leads && enough - share < Policy.NEGLIGIBLE) {
      return isAnyProven() ? Verdict.CONTRIBUTING : Verdict.PRIMARY_SUSPECT;
    }
    if (isPending(hypothesis)) {
      return impact.present() ? Verdict.CONTRIBUTING : Verdict.PRIMARY_SUSPECT;
    }
    // Of all that may have been lost, recorded or not.
    if (share >= Policy.NOTABLE && share * (1 - incident.hiddenShare()) >= Policy.NOTABLE) {
      return Verdict.CONTRIBUTING;
    }
    // What explains less is not distinguishable from nothing; what explains more is not ruled
    // out.
    if (has(hypothesis, Bearing.Refutes.class) && share < Policy.NEGLIGIBLE) {
      return Verdict.RULED_OUT;
    }
    boolean open = isBlind(hypothesis) || isUnseen(hypothesis) || isUnmeasuredLead(hypothesis);
    return open && !has(hypothesis, Bearing.Weakens.class)
        ? Verdict.NOT_ENOUGH_DATA
        : Verdict.NOT_INDICATED;
  }

  /**
   * Whether something supports it where nothing shows the lost time: then little time seen is no
   * sign of little harm.
   */
  private boolean isUnmeasuredLead(Hypothesis hypothesis) {
    boolean visible =
        impact.visible()
            && HiddenWaits.of(incident.timeline()).isEmpty()
            && HiddenWaits.ofUnknown(incident.timeline()).isEmpty();
    return !impact.present() && !visible && isSpokenFor(hypothesis);
  }

  private boolean isSpokenFor(Hypothesis hypothesis) {
    return about(hypothesis).stream()
        .flatMap(finding -> finding.on(hypothesis))
        .anyMatch(Bearing::speaksFor);
  }

  /**
   * Whether no sensor would show it, and lost time is left for it: of measured latencies others do
   * not explain nearly all.
   */
  private boolean isUnseen(Hypothesis hypothesis) {
    boolean explained =
        impact.present()
            && incident.timeline().areRequestsMeasured()
            && unexplained() < Policy.NOTABLE;
    return has(hypothesis, Bearing.LeavesOpen.class) && !explained;
  }

  /** Whether a rule about it lacked what it needs. */
  private boolean isBlind(Hypothesis hypothesis) {
    return judging.get(hypothesis).stream().anyMatch(rule -> !missing(rule).isEmpty());
  }

  private List<Signal> missing(Rule rule) {
    return rule.needs().stream().filter(signal -> !incident.timeline().sees(signal)).toList();
  }

  /** Whether each rule that needs it makes do with something else that was recorded. */
  private boolean isStoodInFor(Signal missing) {
    return rules.stream()
        .filter(rule -> rule.needs().contains(missing))
        .allMatch(
            rule -> rule.standIns().stream().anyMatch(other -> incident.timeline().sees(other)));
  }

  private boolean isAnyProven() {
    return Hypothesis.catalogue().stream().anyMatch(this::isProven);
  }

  /** Whether it is there, and the latencies do not show that no request is delayed by it. */
  private boolean isProven(Hypothesis hypothesis) {
    return has(hypothesis, Bearing.Proves.class)
        && (impact.present() || impact.unseen() || !new DelaySummary(incident).areKnown());
  }

  private boolean isPending(Hypothesis hypothesis) {
    return findings.stream()
        .flatMap(finding -> finding.on(hypothesis))
        .anyMatch(bearing -> bearing instanceof Bearing.Supports supports && supports.pending());
  }

  private boolean has(Hypothesis hypothesis, Class<? extends Bearing> kind) {
    return findings.stream().flatMap(finding -> finding.on(hypothesis)).anyMatch(kind::isInstance);
  }

  private List<Finding> about(Hypothesis hypothesis) {
    return findings.stream().filter(f -> f.on(hypothesis).findAny().isPresent()).toList();
  }

  /**
   * Latencies over time date and measure the delay on their own; then dumps show who waits. With
   * both, only the experiment is left.
   */
  private String corroboration() {
    Timeline timeline = incident.timeline();
    if (timeline.requestSeries().isEmpty()) {
      return "request latencies over time (" + RequestsOverTime.howToRecord(timeline) + ")";
    }
    return timeline.sees(Signal.THREAD_DUMPS)
        ? "a run with only this changed"
        : "thread dumps in the incident: " + Signal.THREAD_DUMPS.howToRecord();
  }

  private Judgement judgement(Hypothesis hypothesis, Verdict verdict) {
    boolean suspect = verdict.isSuspect();
    List<Finding> about = new ArrayList<>(Reasons.ordered(about(hypothesis), hypothesis, verdict));
    if (suspect && share(hypothesis) >= Judgement.LEAST_SHOWN) {
      attribution
          .handedBy(hypothesis)
          .filter(handed -> !about.contains(handed))
          .ifPresent(handed -> about.add(Math.min(1, about.size()), handed));
    }
    Set<Effect> effects = Basis.effects(hypothesis, findings);
    List<Signal> missing =
        Stream.concat(
                judging.get(hypothesis).stream().flatMap(rule -> missing(rule).stream()),
                Sensors.missing(suspect ? effects : Set.of(), incident.timeline()).stream())
            .distinct()
            .sorted(Comparator.comparing(this::isStoodInFor).thenComparing(signal -> signal))
            .toList();
    // What is seen itself, or hurts in a way that no wait was recorded of, need not have a share;
    // what has one is shown, so that all shares and what is unexplained are the whole.
    boolean booked = share(hypothesis) >= Judgement.LEAST_SHOWN;
    boolean known = impact.present() && (booked || !suspect && !isBlind(hypothesis));
    Optional<Interval> sampled = booked ? intervals.sampled(hypothesis) : Optional.empty();
    List<StrainedLaws.Strain> strains =
        suspect && booked
            ? StrainedLaws.of(incident, findings, hypothesis, share(hypothesis))
            : List.of();
    double most = strains.stream().mapToDouble(StrainedLaws.Strain::most).min().orElse(1);
    Certainty certainty =
        new Certainty(
            hypothesis,
            findings,
            missing,
            checks,
            read,
            booked
                ? ShareContext.of(incident, attribution, hypothesis, effects)
                : ShareContext.NONE,
            Basis.of(hypothesis, findings, incident.effects(), sampled),
            corroboration(),
            strains.stream().map(StrainedLaws.Strain::words).toList());
    String words = Reasons.action(hypothesis, about);
    String reason = Reasons.of(hypothesis, verdict, about, missing);
    String figures = String.join("; ", Reasons.keyFigures(hypothesis, about, reason));
    Advice advice =
        suspect ? Causes.advice(incident, Causes.of(hypothesis), about, figures) : Advice.NONE;
    return new Judgement(
        hypothesis,
        verdict,
        known ? OptionalDouble.of(share(hypothesis)) : OptionalDouble.empty(),
        booked && suspect ? intervals.whole(hypothesis, most) : sampled,
        verdict == Verdict.NOT_ENOUGH_DATA ? Optional.empty() : Optional.of(certainty.confidence()),
        reason,
        about,
        missing,
        suspect ? Reasons.actions(hypothesis, advice, words) : List.of(),
        suspect ? certainty.doubts() : "",
        suspect ? certainty.surer() : "",
        advice);
  }
}
