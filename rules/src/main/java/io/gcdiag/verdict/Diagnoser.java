package io.gcdiag.verdict;

import io.gcdiag.books.Attribution;
import io.gcdiag.books.Finding;
import io.gcdiag.books.Finding.Inseparable;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.Place;
import io.gcdiag.books.Prediction;
import io.gcdiag.books.Rule;
import io.gcdiag.causes.Causes;
import io.gcdiag.causes.workers.ExhaustedGroup;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.jvm.StackProfile;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Signal;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationFigures;
import io.gcdiag.figures.Chart;
import io.gcdiag.figures.Charts;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.CrossChecks;
import io.gcdiag.figures.GcSummary;
import io.gcdiag.figures.InputLimit;
import io.gcdiag.figures.Metrics;
import io.gcdiag.figures.SourceTimes;
import io.gcdiag.figures.StackTree;
import io.gcdiag.measures.EffectTimes;
import io.gcdiag.measures.HiddenTime;
import io.gcdiag.measures.MeasuredIncident;
import io.gcdiag.measures.WindowFinder;
import io.gcdiag.measures.jvm.CollectorMeters;
import io.gcdiag.measures.jvm.CrowdedCores;
import io.gcdiag.measures.jvm.WakeDelay;
import io.gcdiag.measures.requests.EndpointExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.OccupiedWorkers;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ForkJoinTask;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** Runs every rule on an incident and ranks the causes by the findings. */
public record Diagnoser(MeasuredIncident incident, List<Rule> rules) {

  /**
   * Memory in bytes for a pause with everything that a rule derives from it. With 1.3 million
   * pauses of ParNew's log two rules at a time did not fit into a heap of 128 MB; with half a
   * million they did.
   */
  private static final int PAUSE_BYTES = 100;

  /**
   * Diagnoses a timeline.
   *
   * @throws WindowRequest.RefusedException if a requested window contains no data
   */
  public static Diagnosis diagnose(
      Timeline timeline,
      Optional<WindowRequest> incidentWindow,
      Optional<WindowRequest> baselineWindow) {
    Windows windows = WindowFinder.find(timeline, incidentWindow, baselineWindow);
    return new Diagnoser(new MeasuredIncident(timeline, windows), Causes.sensors()).run();
  }

  private Diagnosis run() {
    Timeline timeline = incident.timeline();
    // Rules and charts are independent, so an idle processor draws the charts.
    ForkJoinTask<List<Chart>> charts = ForkJoinTask.adapt(() -> Charts.of(timeline));
    if (hasRoom()) {
      charts.fork();
    }
    List<Finding> findings = findings();
    EffectTimes times = incident.effects();
    Attribution attribution = new Attribution(times, findings);
    UserImpact impact = UserImpact.of(incident, times, attribution.unexplained());
    List<CrossCheck> checks = CrossChecks.of(incident, times, impact.present());
    List<Judgement> judgements =
        Ranking.rank(incident, rules, findings, attribution, impact, checks);
    List<Judgement> primary =
        judgements.stream().filter(j -> j.verdict() == Verdict.PRIMARY_SUSPECT).toList();
    Optional<Hypothesis> suspect = primary.stream().findFirst().map(Judgement::hypothesis);
    Summary summary = new Summary(incident, impact, judgements, attribution);
    Conclusion conclusion = conclusion(impact, primary, summary, findings);
    return new Diagnosis(
        inputs(timeline),
        timeline.jvm(),
        incident.windows(),
        conclusion,
        summary.of(conclusion),
        judgements,
        new Diagnosis.LostTime(
            Ledger.of(incident, times),
            impact.present() ? attribution.unexplained() : 0,
            times.isRunUnrecorded(),
            impact.present()
                ? CausalGraph.of(suspect, attribution, incident.stations())
                : CausalGraph.EMPTY,
            impact.present() ? parts(attribution, Diagnosis.largest(judgements)) : Map.of()),
        InseparableCauses.of(judgements, findings),
        checks,
        new Diagnosis.Figures(
            Metrics.of(incident),
            EndpointExcess.of(incident),
            incident.stations(),
            timeline.samples(SlowRequests.class),
            AllocationFigures.of(incident),
            CpuSummary.of(timeline, incident.windows()),
            GcSummary.of(timeline, incident.windows()),
            waits(primary),
            hasRoom() ? charts.join() : charts.invoke()),
        SourceTimes.of(incident, findings),
        InputLimit.of(incident),
        predictions(judgements, findings),
        Diagnosis.Hidden.NOTHING);
  }

  /**
   * Suspects that are not separable have one share together; without a suspect, that of the largest
   * contributing cause.
   */
  private static Map<Effect, Double> parts(Attribution attribution, List<Judgement> largest) {
    return largest.stream()
        .flatMap(suspect -> attribution.parts(suspect.hypothesis()).entrySet().stream())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue, Double::sum));
  }

  /** Waits of request threads; samples of calls if only these have the suspect's location. */
  private StackTree waits(List<Judgement> primary) {
    Timeline timeline = incident.timeline();
    StackTree recorded = StackTree.of(timeline, incident.windows(), StackProfile.Kind.WAITING);
    StackTree sampled = StackTree.of(timeline, incident.windows(), StackProfile.Kind.CALLS);
    boolean only =
        primary.stream()
            .flatMap(suspect -> suspect.advice().place().stream())
            .anyMatch(place -> !isOn(recorded, place) && isOn(sampled, place));
    return only ? sampled : recorded;
  }

  private static boolean isOn(StackTree tree, Place place) {
    return place.parts().stream()
        .filter(part -> part.role() == Place.Role.CODE)
        .anyMatch(part -> tree.widest(part.name()).isPresent());
  }

  private boolean hasRoom() {
    long most = Runtime.getRuntime().maxMemory() / 2 / PAUSE_BYTES;
    return incident.timeline().pauses().size() < most;
  }

  /**
   * The findings of all rules, in the order of the rules. Rules are independent of each other and
   * run in parallel, because some take half a second for a log with half a million pauses. With
   * many more pauses they run one after the other, because two at a time would not fit into a small
   * heap.
   */
  private List<Finding> findings() {
    return (hasRoom() ? rules.parallelStream() : rules.stream())
        .flatMap(rule -> findings(rule).stream())
        .toList();
  }

  private List<Finding> findings(Rule rule) {
    Predicate<Signal> recorded = signal -> incident.timeline().sees(signal);
    if (rule.needs().stream().allMatch(recorded)) {
      return rule.examine(incident);
    }
    return rule.standIns().stream().anyMatch(recorded)
        ? rule.examine(incident).stream().flatMap(finding -> finding.claims().stream()).toList()
        : List.of();
  }

  /** By name, so that the order in which files are given does not change the report. */
  private static List<InputReport> inputs(Timeline timeline) {
    return timeline.inputs().stream()
        .sorted(Comparator.comparing(InputReport::file).thenComparing(InputReport::format))
        .toList();
  }

  private List<Prediction> predictions(List<Judgement> judgements, List<Finding> findings) {
    return judgements.stream()
        .filter(judgement -> judgement.verdict().isSuspect())
        .flatMap(
            judged ->
                Causes.of(judged.hypothesis())
                    .predictions(incident, findings, judged.share().explained())
                    .stream())
        .toList();
  }

  /**
   * Healthy requires evidence: without pauses or waits nothing can be said. Measured latencies
   * include all waits of requests, whatever they were for.
   */
  private Conclusion conclusion(
      UserImpact impact, List<Judgement> primary, Summary summary, List<Finding> findings) {
    if (!primary.isEmpty()) {
      return Conclusion.PRIMARY_SUSPECT;
    }
    Timeline timeline = incident.timeline();
    boolean pausesKnown =
        timeline.sees(Signal.GC_PAUSES) || CollectorMeters.of(timeline).isPresent();
    boolean looked = pausesKnown && impact.visible();
    return impact.present()
            || impact.unseen()
            || Summary.isTooShort(incident.window())
            || !looked
            || incident.hidden().filter(HiddenTime::isNotable).isPresent()
            || mayQueueUnseen()
            || Hypothesis.catalogue().stream()
                .anyMatch(cause -> Ranking.mayHoldUpUnseen(incident, findings, cause))
            || mayWaitForCores()
            || !summary.open().isEmpty()
        ? Conclusion.UNDECIDED
        : Conclusion.HEALTHY;
  }

  /** No recording shows requests that queue for a thread; only a load test does. */
  private boolean mayQueueUnseen() {
    return !incident.timeline().areRequestsMeasured()
        && (ExhaustedGroup.isNoneEverFree(incident)
            || OccupiedWorkers.of(incident).stream().anyMatch(OccupiedWorkers::serving));
  }

  /**
   * No event shows a thread that waits for CPU. Where others fill the cores and timed waits end
   * late meanwhile, only latencies tell whether requests feel it.
   */
  private boolean mayWaitForCores() {
    return !incident.timeline().areRequestsMeasured()
        && CrowdedCores.of(incident)
            .map(CrowdedCores::then)
            .filter(use -> use.others() > use.service())
            .isPresent()
        && WakeDelay.isLaterWhereFull(incident.timeline(), incident.window());
  }

  /** Suspects that the inputs cannot separate, and the experiment that does. */
  private static final class InseparableCauses {

    /**
     * Pairs that rules name: of suspects, or of leads if there is no suspect, and pairs of which
     * both contribute. Also each pair of suspects with equal shares.
     */
    static List<Inseparable> of(List<Judgement> judgements, List<Finding> findings) {
      Set<Hypothesis> primary = having(judgements, one -> one.verdict() == Verdict.PRIMARY_SUSPECT);
      Set<Hypothesis> contributing =
          having(judgements, one -> one.verdict() == Verdict.CONTRIBUTING);
      Set<Hypothesis> foremost =
          primary.isEmpty() ? having(judgements, Judgement::isLead) : primary;
      List<Inseparable> pairs = new ArrayList<>();
      for (Finding finding : findings) {
        finding.inseparable().stream()
            .filter(
                pair ->
                    foremost.contains(pair.one())
                        || foremost.contains(pair.other())
                        || contributing.containsAll(List.of(pair.one(), pair.other())))
            .forEach(pairs::add);
      }
      List<Hypothesis> alike = List.copyOf(primary);
      for (int i = 0; i < alike.size(); i++) {
        for (Hypothesis other : alike.subList(i + 1, alike.size())) {
          Hypothesis one = alike.get(i);
          if (pairs.stream().noneMatch(pair -> isOf(pair, one, other))) {
            pairs.add(
                new Inseparable(
                    one,
                    other,
                    "change one thing alone and measure again: " + Causes.of(one).firstAction()));
          }
        }
      }
      return pairs;
    }

    private static Set<Hypothesis> having(List<Judgement> judgements, Predicate<Judgement> what) {
      Set<Hypothesis> having = EnumSet.noneOf(Hypothesis.class);
      judgements.stream().filter(what).forEach(one -> having.add(one.hypothesis()));
      return having;
    }

    private static boolean isOf(Inseparable pair, Hypothesis one, Hypothesis other) {
      return pair.one() == one && pair.other() == other
          || pair.one() == other && pair.other() == one;
    }
  }
}
