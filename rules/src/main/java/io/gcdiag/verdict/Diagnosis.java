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
 * @param primarySuspect the root cause that explains most; present only if the conclusion says so
 * @param judgements the whole catalogue, ranked
 * @param ledger where the lost time went
 * @param unexplainedShare share of the lost time that no root cause accounts for, 0 to 1
 * @param causes how the lost time was handed on from what users felt to its causes
 * @param inseparable causes, a suspect among them, that these inputs cannot tell apart
 * @param crossChecks facts from two sources
 * @param metrics figures before and during the incident
 * @param allocation who allocated how much
 * @param cpu which code executed
 * @param waiting in which code request threads waited, and for what
 * @param charts the same over time, for the eye
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
    Optional<Hypothesis> primarySuspect,
    List<Judgement> judgements,
    List<LedgerEntry> ledger,
    double unexplainedShare,
    CausalGraph causes,
    List<Finding.Inseparable> inseparable,
    List<CrossCheck> crossChecks,
    List<Metric> metrics,
    AllocationSummary allocation,
    CpuSummary cpu,
    StackTree waiting,
    List<Chart> charts,
    List<SourceTime> times,
    List<String> limits,
    List<Prediction> predictions,
    Hidden hidden) {

  /** Copies the lists. */
  public Diagnosis {
    inputs = List.copyOf(inputs);
    judgements = List.copyOf(judgements);
    ledger = List.copyOf(ledger);
    inseparable = List.copyOf(inseparable);
    crossChecks = List.copyOf(crossChecks);
    metrics = List.copyOf(metrics);
    charts = List.copyOf(charts);
    times = List.copyOf(times);
    limits = List.copyOf(limits);
    predictions = List.copyOf(predictions);
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
        primarySuspect,
        judgements,
        ledger,
        unexplainedShare,
        causes,
        inseparable,
        crossChecks,
        metrics,
        allocation,
        cpu,
        waiting,
        charts,
        times,
        limits,
        predictions,
        what);
  }
}
