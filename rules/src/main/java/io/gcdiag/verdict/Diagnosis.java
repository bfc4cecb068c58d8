package io.gcdiag.verdict;

import io.gcdiag.books.Finding;
import io.gcdiag.books.Hypothesis;
import io.gcdiag.books.LedgerEntry;
import io.gcdiag.books.Prediction;
import io.gcdiag.evidence.jvm.JvmFacts;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Source;
import io.gcdiag.evidence.time.Window;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.figures.AllocationSummary;
import io.gcdiag.figures.Chart;
import io.gcdiag.figures.CpuSummary;
import io.gcdiag.figures.CrossCheck;
import io.gcdiag.figures.Metric;
import io.gcdiag.figures.SourceTime;
import io.gcdiag.figures.StackTree;
import io.gcdiag.measures.threads.Station;
import java.util.List;
import java.util.Optional;

/**
 * The whole answer. Every report is a view of it and computes nothing.
 *
 * @param inputs what became of each input
 * @param jvm what is known of the JVM
 * @param windows the spans compared
 * @param conclusion the answer in one word
 * @param summary the answer in one to three sentences
 * @param judgements the whole catalogue, ranked
 * @param lostTime where it went and what handed it on
 * @param inseparable causes, a suspect among them, that these inputs cannot tell apart
 * @param crossChecks facts from two sources
 * @param figures what was measured, whatever it says of causes
 * @param times when it happened what the sources of findings name, where that is known
 * @param limits what these inputs cannot show, and how to record it next time
 * @param predictions what to expect of dealing with the suspects; empty without one
 * @param hidden what was hidden from the reader
 */
public record Diagnosis(
    List<InputReport> inputs,
    JvmFacts jvm,
    Windows windows,
    Conclusion conclusion,
    String summary,
    List<Judgement> judgements,
    LostTime lostTime,
    List<Finding.Inseparable> inseparable,
    List<CrossCheck> crossChecks,
    Figures figures,
    List<SourceTime> times,
    List<String> limits,
    List<Prediction> predictions,
    Hidden hidden) {

  /** Copies the lists. */
  public Diagnosis {
    inputs = List.copyOf(inputs);
    judgements = List.copyOf(judgements);
    inseparable = List.copyOf(inseparable);
    crossChecks = List.copyOf(crossChecks);
    times = List.copyOf(times);
    limits = List.copyOf(limits);
    predictions = List.copyOf(predictions);
  }

  /**
   * Where the lost time went.
   *
   * @param ledger by its effects
   * @param unexplainedShare share of it that no root cause accounts for, 0 to 1
   * @param causes how it was handed on from what users felt to its causes
   */
  public record LostTime(List<LedgerEntry> ledger, double unexplainedShare, CausalGraph causes) {

    /** None was lost. */
    public static final LostTime NONE = new LostTime(List.of(), 0, CausalGraph.EMPTY);

    /** Copies the list. */
    public LostTime {
      ledger = List.copyOf(ledger);
    }
  }

  /**
   * What was measured.
   *
   * @param metrics figures before and during the incident
   * @param stations the places where requests spend time, before and during the incident
   * @param allocation who allocated how much
   * @param cpu which code executed
   * @param waiting in which code request threads waited, and for what
   * @param charts the metrics over time, for the eye
   */
  public record Figures(
      List<Metric> metrics,
      List<Station> stations,
      AllocationSummary allocation,
      CpuSummary cpu,
      StackTree waiting,
      List<Chart> charts) {

    /** Copies the lists. */
    public Figures {
      metrics = List.copyOf(metrics);
      stations = List.copyOf(stations);
      charts = List.copyOf(charts);
    }
  }

  /**
   * What was hidden from a reader.
   *
   * @param secrets different secrets
   * @param places places in the diagnosis where one of them stood
   */
  public record Hidden(int secrets, int places) {

    /** Nothing was hidden. */
    public static final Hidden NOTHING = new Hidden(0, 0);
  }

  /** The root cause that explains most; none where the conclusion is another. */
  public Optional<Hypothesis> primarySuspect() {
    return judgements.stream()
        .filter(judgement -> judgement.verdict() == Verdict.PRIMARY_SUSPECT)
        .findFirst()
        .map(Judgement::hypothesis);
  }

  /** When it happened what the source names; empty for what has no time of its own. */
  public Optional<Window> timeOf(Source source) {
    return times.stream()
        .filter(known -> known.source().equals(source))
        .map(SourceTime::time)
        .findFirst();
  }

  /** The same, saying what was hidden from its reader. */
  public Diagnosis hiding(Hidden what) {
    return new Diagnosis(
        inputs,
        jvm,
        windows,
        conclusion,
        summary,
        judgements,
        lostTime,
        inseparable,
        crossChecks,
        figures,
        times,
        limits,
        predictions,
        what);
  }
}
