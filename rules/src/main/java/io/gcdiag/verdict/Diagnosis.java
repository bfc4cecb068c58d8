package io.gcdiag.verdict;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.books.Prediction;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.threads.WaitSample.SlowRequests;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.Chart;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.GcSummary;
import io.gcdiag.figures.InputLimit;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.SourceTimes.SourceTime;
import io.gcdiag.figures.StackTree;
import io.gcdiag.measures.requests.EndpointExcess;
import io.gcdiag.measures.threads.Effect;
import io.gcdiag.measures.threads.Station;
import io.gcdiag.units.Ratio;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The whole result. Reports are views of it and compute nothing.
 *
 * @param inputs what was read of each input
 * @param jvm facts about the JVM
 * @param told the answer in one to three sentences
 * @param judgements all causes of the catalogue, ranked
 * @param lostTime where the time was lost, and the causes
 * @param inseparable pairs of causes that these inputs cannot separate; one of each pair is a
 *     suspect
 * @param crossChecks facts from two sources
 * @param figures what was measured, independent of causes
 * @param times when the events happened that the findings' sources name, if known
 * @param limits what these inputs cannot show, and how to record it next time
 * @param predictions expected effect of removing each suspect; empty without a suspect
 * @param hidden what was hidden from the reader
 */
public record Diagnosis(
    List<InputReport> inputs,
    JvmFacts jvm,
    Windows windows,
    Conclusion conclusion,
    Told told,
    List<Judgement> judgements,
    LostTime lostTime,
    List<Finding.Inseparable> inseparable,
    List<CrossCheck> crossChecks,
    Figures figures,
    List<SourceTime> times,
    List<InputLimit> limits,
    List<Prediction> predictions,
    Hidden hidden) {

  public Diagnosis {
    inputs = List.copyOf(inputs);
    judgements = List.copyOf(judgements);
    inseparable = List.copyOf(inseparable);
    crossChecks = List.copyOf(crossChecks);
    times = List.copyOf(times);
    limits = List.copyOf(limits);
    predictions = List.copyOf(predictions);
  }

  /** The answer in one to three sentences. */
  public String summary() {
    return told.words();
  }

  /**
   * A summary, with what it says where the answer is undecided.
   *
   * @param leads the sentence that names leads, behind what is known and before the rest
   * @param stated the causes whose decisive figure is in the first two parts
   * @param delayUnknown whether it says that no file shows what requests took
   * @param shorterPauses what makes shorter what took most of the time in pauses, if that is known
   * @param asks the first step to what would decide, if the words ask for it
   */
  public record Told(
      String known,
      String leads,
      String rest,
      Set<Hypothesis> stated,
      boolean delayUnknown,
      Optional<String> shorterPauses,
      Optional<String> asks) {

    public static Told of(String words) {
      return new Told(words, "", "", Set.of(), false, Optional.empty(), Optional.empty());
    }

    public String words() {
      return known + leads + rest;
    }

    /** The causes whose decisive figure is in so many characters of the words. */
    public Set<Hypothesis> stated(int letters) {
      return letters < known.length() + leads.length() ? Set.of() : stated;
    }
  }

  /**
   * Where the lost time went.
   *
   * @param ledger by effect
   * @param unexplainedShare share of it that no root cause explains, 0 to 1
   * @param causes the flow of lost time from the causes to the user impact
   * @param ofWholeRun whether most of it is what a whole load test lost, of which no file shows how
   *     much was in the incident window
   * @param bySuspect thread-seconds that the primary suspects explain, else the largest
   *     contributing cause, by the effect in which requests spent them; empty without both
   */
  public record LostTime(
      List<LedgerEntry> ledger,
      double unexplainedShare,
      boolean ofWholeRun,
      CausalGraph causes,
      Map<Effect, Double> bySuspect) {

    public static final LostTime NONE =
        new LostTime(List.of(), 0, false, CausalGraph.EMPTY, Map.of());

    public LostTime {
      ledger = List.copyOf(ledger);
      bySuspect = Collections.unmodifiableMap(new TreeMap<>(bySuspect));
    }

    /** All of it, in thread-seconds over the incident window: what every share is a share of. */
    public double seconds() {
      return ledger.stream().mapToDouble(LedgerEntry::excessThreadSeconds).sum();
    }

    private LostTime shown(List<Judgement> ranked, double unexplained) {
      List<LedgerEntry> counted = ledger.stream().filter(one -> !one.atMost()).toList();
      List<Double> parts = Ratio.parts(counted.stream().map(LedgerEntry::share).toList());
      Map<String, Double> nodes = new HashMap<>();
      ranked.forEach(one -> nodes.put(one.hypothesis().id(), one.share().explained().orElse(0)));
      for (int i = 0; i < parts.size(); i++) {
        nodes.put(counted.get(i).effect().id(), parts.get(i));
      }
      // A line that is less than a tenth is printed as that, and not as none.
      return new LostTime(
          ledger.stream()
              .map(
                  one ->
                      one.atMost() || nodes.get(one.effect().id()) == 0
                          ? one
                          : one.sharing(nodes.get(one.effect().id())))
              .toList(),
          unexplained,
          ofWholeRun,
          causes.shown(nodes),
          bySuspect);
    }
  }

  /**
   * What was measured.
   *
   * @param metrics figures before and during the incident
   * @param endpoints those whose requests took longer, by their share of the delay
   * @param stations the places where requests spend time, before and during the incident
   * @param slowRequests what threads did in slow requests, by recording
   * @param allocation who allocated how much
   * @param cpu which code executed
   * @param collections the GC pauses by length and by cause
   * @param waiting in which code request threads waited, and for what
   * @param charts the metrics over time
   */
  public record Figures(
      List<Metric> metrics,
      List<EndpointExcess> endpoints,
      List<Station> stations,
      List<SlowRequests> slowRequests,
      AllocationSummary allocation,
      CpuSummary cpu,
      GcSummary collections,
      StackTree waiting,
      List<Chart> charts) {

    public Figures {
      metrics = List.copyOf(metrics);
      endpoints = List.copyOf(endpoints);
      stations = List.copyOf(stations);
      slowRequests = List.copyOf(slowRequests);
      charts = List.copyOf(charts);
    }

    public Optional<Metric> metric(String name) {
      return metrics.stream().filter(one -> one.name().equals(name)).findFirst();
    }

    public Stream<Station> stations(Station.Kind kind) {
      return stations.stream().filter(one -> one.kind() == kind);
    }
  }

  /**
   * What was hidden from a reader.
   *
   * @param secrets number of different secrets
   * @param places number of places in the diagnosis where a secret was
   */
  public record Hidden(int secrets, int places) {

    public static final Hidden NOTHING = new Hidden(0, 0);
  }

  /** The causes with that verdict, in their order. */
  public List<Judgement> with(Verdict verdict) {
    return judgements.stream().filter(one -> one.verdict() == verdict).toList();
  }

  /** What is judged of the root cause that explains most; empty unless that is the conclusion. */
  public Optional<Judgement> primary() {
    return with(Verdict.PRIMARY_SUSPECT).stream().findFirst();
  }

  public Optional<Hypothesis> primarySuspect() {
    return primary().map(Judgement::hypothesis);
  }

  /** Where the figures of that cause were read. */
  public Stream<Source> primarySources() {
    return primary().stream()
        .flatMap(primary -> primary.findings().stream())
        .flatMap(finding -> finding.sources().stream());
  }

  /** The primary suspects; without any, the contributing cause that explains most. */
  public List<Judgement> largest() {
    return largest(judgements);
  }

  static List<Judgement> largest(List<Judgement> judgements) {
    List<Judgement> primary =
        judgements.stream().filter(one -> one.verdict() == Verdict.PRIMARY_SUSPECT).toList();
    return primary.isEmpty()
        ? judgements.stream()
            .filter(one -> one.verdict() == Verdict.CONTRIBUTING)
            .max(Comparator.comparingDouble(one -> one.share().explained().orElse(0)))
            .stream()
            .toList()
        : primary;
  }

  /** When the source's event happened; empty if it has no time of its own. */
  public Optional<Window> timeOf(Source source) {
    return times.stream()
        .filter(known -> known.source().equals(source))
        .map(SourceTime::time)
        .findFirst();
  }

  /**
   * The same with its shares as they are printed, in tenths of a percent: the causes and what is
   * unexplained make 100 %, and so do the lines of the ledger; the links of a cause make its share,
   * and a link to the user impact has that of its line.
   */
  public Diagnosis shown() {
    List<Double> parts = shown(judgements, lostTime.unexplainedShare());
    List<Judgement> ranked =
        IntStream.range(0, judgements.size())
            .mapToObj(i -> judgements.get(i).sharing(parts.get(i)))
            .toList();
    return with(ranked, lostTime.shown(ranked, parts.get(ranked.size())), hidden);
  }

  /** The share of each cause as it is printed, and at the end what is unexplained. */
  static List<Double> shown(List<Judgement> judgements, double unexplained) {
    return Ratio.parts(
        Stream.concat(
                judgements.stream().map(one -> one.share().explained().orElse(0)),
                Stream.of(unexplained))
            .toList());
  }

  public Diagnosis hiding(Hidden what) {
    return with(judgements, lostTime, what);
  }

  private Diagnosis with(List<Judgement> ranked, LostTime lost, Hidden what) {
    return new Diagnosis(
        inputs,
        jvm,
        windows,
        conclusion,
        told,
        ranked,
        lost,
        inseparable,
        crossChecks,
        figures,
        times,
        limits,
        predictions,
        what);
  }
}
