package io.gcdiag.verdict;

import io.gcdiag.books.Advice;
import io.gcdiag.books.Attribution;
import io.gcdiag.books.Bearing;
import io.gcdiag.books.Cause;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.memory.StoppedTimeSplit;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.HiddenWaits;
import io.gcdiag.measures.DelaySummary;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.UnrecordedStops;
import io.gcdiag.measures.jvm.PausesAlone;
import io.gcdiag.measures.requests.LoadTestDelays;
import io.gcdiag.measures.requests.RequestsOverTime;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.policy.Policy;
import io.gcdiag.units.Estimate;
import io.gcdiag.units.Ratio;
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
 * Turns findings and shares into verdicts, and ranks the causes. How a verdict follows from them is
 * decided here; the thresholds are in {@link Policy}, and what a finding says of a cause is the
 * rules'.
 *
 * <ul>
 *   <li>A cause that was seen directly, such as a deadlock, is the primary suspect, whatever its
 *       share; all others contribute at most.
 *   <li>The cause with the largest share of the lost time is the primary suspect if it explains at
 *       least {@link Policy#SUBSTANTIAL}, clearly more than the next, and at least half as much as
 *       is unexplained. If two such causes cannot be separated, both are.
 *   <li>A cause with at least {@link Policy#NOTABLE} contributes if another one leads. The share
 *       must be as large if time in no recorded state is counted as lost.
 *   <li>A cause that has cost no time yet but soon will, such as a leak, also contributes. If no
 *       other time is lost, it is the primary suspect, without a share.
 *   <li>Evidence against a cause rules it out if it explains too little to be distinguished from
 *       nothing.
 *   <li>A cause that the inputs could not show is "not enough data". So is a cause with supporting
 *       evidence if nothing shows whether requests were delayed; such leads come before the rest.
 *   <li>A cause that was checked and not found is "not indicated".
 * </ul>
 */
record Ranking(
    MeasuredIncident incident,
    List<Rule> rules,
    Map<Hypothesis, List<Rule>> judging,
    List<Finding> findings,
    Attribution attribution,
    UserImpact impact,
    List<CrossCheck> checks,
    ShareIntervals intervals,
    Completeness read) {

  /**
   * All causes of the catalogue, ranked.
   *
   * @param rules the rules that ran
   * @param attribution the shares of the lost time, from these findings
   * @param impact whether there is any lost time
   * @param checks facts from two sources
   */
  static List<Judgement> rank(
      MeasuredIncident incident,
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
            Completeness.of(incident, findings))
        .judged();
  }

  /** The rules that may judge each root cause. */
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
    List<Hypothesis> makeTheTail =
        Hypothesis.catalogue().stream().filter(this::isStopOfTheTail).toList();
    List<Hypothesis> mayLead = makeTheTail.isEmpty() ? Hypothesis.catalogue() : makeTheTail;
    double enough =
        mayLead.stream()
            .max(Comparator.comparingDouble(this::share))
            .map(this::atLeast)
            .orElse(0.0);
    for (Hypothesis hypothesis : Hypothesis.catalogue()) {
      verdicts.put(hypothesis, verdict(hypothesis, mayLead, enough));
    }
    if (!verdicts.containsValue(Verdict.PRIMARY_SUSPECT)) {
      verdicts.replaceAll((hypothesis, verdict) -> beside(hypothesis, verdict));
    }
    findings.stream()
        .flatMap(finding -> finding.inseparable().stream())
        .filter(pair -> isContributing(pair, verdicts))
        .forEach(pair -> verdicts.put(pair.other(), Verdict.PRIMARY_SUSPECT));
    return Hypothesis.catalogue().stream()
        .sorted(
            Comparator.comparing((Hypothesis h) -> verdicts.get(h))
                // Of suspects that cannot be separated a cause says more than a place.
                .thenComparing(
                    h -> verdicts.get(h).isSuspect() && h == Hypothesis.NATIVE_OR_UNKNOWN)
                .thenComparing(h -> !ownsMostTime(h))
                .thenComparing(Comparator.comparingDouble(this::share).reversed())
                .thenComparing(h -> !isSpokenFor(h))
                .thenComparing(h -> -about(h).size())
                .thenComparing(Comparator.naturalOrder()))
        .map(
            hypothesis ->
                judgement(hypothesis, verdicts.get(hypothesis), rival(hypothesis, verdicts)))
        .toList();
  }

  /**
   * Whether the other cause of an inseparable pair contributes: the suspect's share may be due to
   * it.
   */
  private static boolean isContributing(
      Finding.Inseparable pair, Map<Hypothesis, Verdict> verdicts) {
    return verdicts.get(pair.one()) == Verdict.PRIMARY_SUSPECT
        && verdicts.get(pair.other()) == Verdict.CONTRIBUTING;
  }

  /** The other suspect with the largest share, if it is not the only one. */
  private Optional<Hypothesis> rival(Hypothesis hypothesis, Map<Hypothesis, Verdict> verdicts) {
    return Hypothesis.catalogue().stream()
        .filter(other -> other != hypothesis && verdicts.get(hypothesis) == Verdict.PRIMARY_SUSPECT)
        .filter(other -> verdicts.get(other) == Verdict.PRIMARY_SUSPECT)
        .max(Comparator.comparingDouble(this::share));
  }

  /**
   * Without a primary suspect a known cause with a small share does not contribute. The lead is the
   * method that most request threads are in, a cause that only a baseline could confirm, or the
   * queue with most of the lost time and no known reason.
   */
  private Verdict beside(Hypothesis hypothesis, Verdict verdict) {
    if ((hypothesis == Hypothesis.NATIVE_OR_UNKNOWN
            || isGrowth(hypothesis)
            || ownsMostTime(hypothesis))
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

  /**
   * Whether there is evidence for it, most of the lost time was spent in its queue, and no cause
   * explains that.
   */
  private boolean ownsMostTime(Hypothesis hypothesis) {
    return impact.present()
        && isSpokenFor(hypothesis)
        && Causes.of(hypothesis).queues().stream()
            .anyMatch(queue -> attribution.left(queue) > Policy.MAJORITY);
  }

  private double share(Hypothesis hypothesis) {
    return impact.present() ? attribution.share(hypothesis) : 0;
  }

  /** Lower bound of its share, from the samples that it is based on. */
  private double atLeast(Hypothesis hypothesis) {
    return intervals.sampled(hypothesis).map(Estimate::low).orElse(share(hypothesis));
  }

  private double unexplained() {
    return impact.present() ? attribution.unexplained() : 0;
  }

  /** Whether only a baseline would show how much of what it explains is normal. */
  private boolean isGrowth(Hypothesis hypothesis) {
    return incident.windows().baseline().isEmpty()
        && Causes.of(hypothesis).is(Cause.Trait.PART_OF_NORMAL_WORK);
  }

  /**
   * Time in calls and sleeps that does not count as lost for want of a baseline, in proportion to
   * the lost time: as much of it may be a cause's as of the time on cores or in files.
   */
  private double uncompared() {
    EffectTimes times = incident.effects();
    double seconds =
        Stream.of(Effect.DOWNSTREAM_WAIT, Effect.SLEEP)
            .mapToDouble(
                effect ->
                    times.during(effect) * incident.window().seconds()
                        - times.excessSeconds(effect))
            .sum();
    return impact.present() ? Math.max(0, seconds) / times.totalExcessSeconds() : 0;
  }

  /**
   * Whether it stops the JVM for a good part of the lost time, and stops alone make most of a 99th
   * percentile that users feel. A little that each request loses may add up to more, and is not
   * what they notice.
   */
  private boolean isStopOfTheTail(Hypothesis hypothesis) {
    return impact.present()
        && share(hypothesis) >= Policy.SUBSTANTIAL
        && StoppedTimeSplit.of(incident).share(hypothesis) > 0
        && incident
            .pausesAlone()
            .filter(alone -> alone.observed().filter(LoadTestDelays::isLong).isPresent())
            .flatMap(PausesAlone::explained)
            .filter(share -> share >= Policy.MAJORITY)
            .isPresent();
  }

  /**
   * @param mayLead the causes of which one can be the suspect
   * @param enough lower bound of the largest share of these
   */
  private Verdict verdict(Hypothesis hypothesis, List<Hypothesis> mayLead, double enough) {
    double share = share(hypothesis);
    if (isProven(hypothesis)) {
      return Verdict.PRIMARY_SUSPECT;
    }
    boolean leads =
        mayLead.contains(hypothesis)
            && share >= Policy.SUBSTANTIAL
            && share
                >= Policy.MAJORITY * (unexplained() + (isGrowth(hypothesis) ? uncompared() : 0))
            && !intervals.mayBeNothing(hypothesis)
            // The collector may have stopped most of what dumps do not show.
            && (atLeast(hypothesis) >= Policy.SUBSTANTIAL
                || UnrecordedStops.of(incident)
                    .filter(stops -> stops.cores() >= Policy.MAJORITY)
                    .isEmpty());
    if (leads && enough - share < Policy.NEGLIGIBLE) {
      return Hypothesis.catalogue().stream().anyMatch(this::isProven)
          ? Verdict.CONTRIBUTING
          : Verdict.PRIMARY_SUSPECT;
    }
    if (isPending(hypothesis)) {
      return impact.present() ? Verdict.CONTRIBUTING : Verdict.PRIMARY_SUSPECT;
    }
    // Share of all time that may have been lost, recorded or not.
    if (share >= Policy.NOTABLE && share * (1 - incident.hiddenShare()) >= Policy.NOTABLE) {
      return Verdict.CONTRIBUTING;
    }
    // A smaller share cannot be distinguished from nothing; a cause with a larger one is not ruled
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
   * Whether there is evidence for it, but nothing shows the lost time. In that case little recorded
   * time does not mean little impact.
   */
  private boolean isUnmeasuredLead(Hypothesis hypothesis) {
    boolean visible =
        impact.visible()
            && HiddenWaits.of(incident.timeline()).isEmpty()
            && HiddenWaits.ofUnknown(incident.timeline()).isEmpty()
            && UnseenTime.uncompared(incident).isEmpty();
    return !impact.present()
        && (!visible || mayHoldUpUnseen(incident, about(hypothesis), hypothesis))
        && isSpokenFor(hypothesis);
  }

  /**
   * Whether a cause that pauses show holds up requests as well where no recording sees it, and no
   * latencies are measured: who touches a page that is swapped out waits for it.
   */
  static boolean mayHoldUpUnseen(
      MeasuredIncident incident, List<Finding> findings, Hypothesis hypothesis) {
    return !incident.timeline().areRequestsMeasured()
        && findings.stream()
            .flatMap(finding -> finding.on(hypothesis))
            .anyMatch(
                bearing ->
                    bearing instanceof Bearing.Explains of
                        && of.effect() == Effect.UNACCOUNTED
                        && of.fraction() >= Policy.SUBSTANTIAL);
  }

  private boolean isSpokenFor(Hypothesis hypothesis) {
    return about(hypothesis).stream()
        .flatMap(finding -> finding.on(hypothesis))
        .anyMatch(Bearing::speaksFor);
  }

  /**
   * Whether no sensor would show it and lost time is left for it: other causes do not explain
   * nearly all of the measured latency.
   */
  private boolean isUnseen(Hypothesis hypothesis) {
    boolean explained =
        impact.present()
            && incident.timeline().areRequestsMeasured()
            && unexplained() < Policy.NOTABLE;
    return has(hypothesis, Bearing.LeavesOpen.class) && !explained;
  }

  /** Whether a rule about it lacked a signal. */
  private boolean isBlind(Hypothesis hypothesis) {
    return judging.get(hypothesis).stream().anyMatch(rule -> !missing(rule).isEmpty());
  }

  private List<Signal> missing(Rule rule) {
    return rule.needs().stream().filter(signal -> !incident.timeline().sees(signal)).toList();
  }

  /** Whether each rule that needs the signal uses a recorded alternative. */
  private boolean isStoodInFor(Signal missing) {
    return rules.stream()
        .filter(rule -> rule.needs().contains(missing))
        .allMatch(
            rule -> rule.standIns().stream().anyMatch(other -> incident.timeline().sees(other)));
  }

  /** Whether it is proven, and measured latencies do not show that it delays no request. */
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
   * Latencies over time measure the delay independently; dumps show which threads wait. If both
   * exist, only an experiment adds evidence.
   */
  private String corroboration() {
    Timeline timeline = incident.timeline();
    if (timeline.requests().series().isEmpty()) {
      return "request latencies over time (" + RequestsOverTime.howToRecord(timeline) + ")";
    }
    return timeline.sees(Signal.THREAD_DUMPS)
        ? "a run with only this changed"
        : "thread dumps in the incident: " + Signal.THREAD_DUMPS.howToRecord();
  }

  /** A share that counts as most of the whole, and may be too small for a suspect. */
  private static Optional<String> doubt(Estimate range) {
    return range.likely() >= Policy.MAJORITY && range.low() < Policy.SUBSTANTIAL
        ? Optional.of("its share may be as low as " + Ratio.whole(range.low()))
        : Optional.empty();
  }

  private Judgement judgement(Hypothesis hypothesis, Verdict verdict, Optional<Hypothesis> rival) {
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
    // A proven cause, or one with a delay in no recorded wait, may have no share. Existing shares
    // are printed, so that all shares and the unexplained part add up to the whole.
    boolean booked = share(hypothesis) >= Judgement.LEAST_SHOWN;
    boolean known = impact.present() && (booked || !suspect && !isBlind(hypothesis));
    Optional<Estimate> sampled = booked ? intervals.sampled(hypothesis) : Optional.empty();
    List<StrainedLaws.Strain> strains =
        suspect && booked
            ? StrainedLaws.of(incident, findings, hypothesis, share(hypothesis))
            : List.of();
    double most = strains.stream().mapToDouble(StrainedLaws.Strain::most).min().orElse(1);
    Optional<Estimate> range = booked && suspect ? intervals.whole(hypothesis, most) : sampled;
    Certainty certainty =
        new Certainty(
            hypothesis,
            findings,
            missing,
            checks,
            read,
            booked
                ? ShareContext.of(incident, attribution, hypothesis, effects, rival)
                : ShareContext.NONE,
            Basis.of(hypothesis, findings, incident.effects(), sampled),
            corroboration(),
            Stream.concat(
                    strains.stream(),
                    range.filter(whole -> most >= 1).flatMap(Ranking::doubt).stream()
                        .map(words -> new StrainedLaws.Strain(words, 1)))
                .toList());
    String words = Reasons.action(hypothesis, about);
    String reason = Reasons.of(hypothesis, verdict, about, missing);
    String figures = String.join("; ", Reasons.keyFigures(hypothesis, about, reason));
    Advice advice =
        suspect ? Causes.advice(incident, Causes.of(hypothesis), about, figures) : Advice.NONE;
    return new Judgement(
        hypothesis,
        verdict,
        new Judgement.Share(
            known ? OptionalDouble.of(share(hypothesis)) : OptionalDouble.empty(), range),
        new Judgement.Rating(
            verdict == Verdict.NOT_ENOUGH_DATA
                ? Optional.empty()
                : Optional.of(certainty.confidence()),
            suspect ? certainty.doubts() : "",
            suspect ? certainty.surer() : ""),
        reason,
        about,
        missing,
        suspect ? Reasons.actions(hypothesis, advice, words) : List.of(),
        advice);
  }
}
