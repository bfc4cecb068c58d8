package io.gcdiag;

import io.gcdiag.evidence.Timeline;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.Windows;
import io.gcdiag.loadtests.Comparer;
import io.gcdiag.loadtests.Comparison;
import io.gcdiag.loadtests.Correlations;
import io.gcdiag.loadtests.Correlator;
import io.gcdiag.loadtests.Correlator.CorrelationRequest;
import io.gcdiag.loadtests.SloJudge;
import io.gcdiag.loadtests.SloJudge.SloTargets;
import io.gcdiag.loadtests.SloResult;
import io.gcdiag.measures.WindowFinder;
import io.gcdiag.read.Ingest;
import io.gcdiag.read.bytes.InputFile;
import io.gcdiag.read.bytes.Redactor;
import io.gcdiag.verdict.Diagnoser;
import io.gcdiag.verdict.Diagnosis;
import java.util.List;
import java.util.Optional;

/** Runs a whole analysis: reads the inputs, asks the rules, weighs the answers. */
public final class Analysis {

  private Analysis() {}

  /**
   * Analyses the inputs. Inputs that cannot be read do not stop the others; what became of each is
   * in {@link Diagnosis#inputs()}.
   *
   * @throws io.gcdiag.evidence.time.WindowRequest.RefusedException if a named window holds no data
   */
  public static Diagnosis run(AnalysisRequest request) {
    Redactor redactor = redactor(request);
    return Privacy.apply(diagnose(read(request, redactor), request), redactor);
  }

  /**
   * Puts two runs side by side. Each request names the files of one run; the first of its inputs
   * gives the run its name.
   *
   * @throws io.gcdiag.evidence.time.WindowRequest.RefusedException if a named window holds no data
   */
  public static Comparison compare(AnalysisRequest before, AnalysisRequest after) {
    Redactor redactor = redactor(before);
    return Privacy.apply(
        Comparer.compare(side(before, redactor), side(after, redactor)),
        Comparison.class,
        redactor);
  }

  /**
   * What the inputs say of the demand on a connection pool.
   *
   * @param inputs what became of each input
   */
  public record Demand(List<InputReport> inputs, PoolFacts facts) {}

  /** Reads the inputs for the demand on a connection pool. */
  public static Demand demand(AnalysisRequest request) {
    Redactor redactor = redactor(request);
    Timeline timeline = read(request, redactor);
    Diagnosis diagnosis = diagnose(timeline, request);
    Demand demand = new Demand(timeline.inputs(), PoolFacts.of(timeline, diagnosis.windows()));
    return Privacy.apply(demand, Demand.class, redactor);
  }

  /**
   * What was measured, for those who judge for themselves.
   *
   * @param diagnosis the figures, beside verdicts that need not be read
   * @param onsets since when what rose has been raised, first what rose first
   */
  public record Facts(Diagnosis diagnosis, List<Windows.Onset> onsets) {

    public Facts {
      onsets = List.copyOf(onsets);
    }
  }

  /** Reads and measures the inputs. */
  public static Facts facts(AnalysisRequest request) {
    Redactor redactor = redactor(request);
    Timeline timeline = read(request, redactor);
    return new Facts(
        Privacy.apply(diagnose(timeline, request), redactor), WindowFinder.onsets(timeline));
  }

  /** Holds the load test among the inputs against its targets. */
  public static SloResult slo(AnalysisRequest request, SloTargets targets) {
    Redactor redactor = redactor(request);
    return Privacy.apply(
        SloJudge.judge(read(request, redactor), targets), SloResult.class, redactor);
  }

  /** Holds every series of the inputs against the tail of the latency. */
  public static Correlations correlate(AnalysisRequest request, CorrelationRequest what) {
    Redactor redactor = redactor(request);
    return Privacy.apply(
        Correlator.correlate(read(request, redactor), what), Correlations.class, redactor);
  }

  private static Redactor redactor(AnalysisRequest request) {
    if (!request.redact()) {
      return Redactor.off();
    }
    return request.redactHosts() ? Redactor.hidingHosts() : Redactor.hiding();
  }

  private static Comparer.Side side(AnalysisRequest request, Redactor redactor) {
    Timeline timeline = read(request, redactor);
    AnalysisRequest.Input first = request.inputs().get(0);
    return new Comparer.Side(
        first
            .name()
            .orElseGet(() -> InputFile.of(first.path().toAbsolutePath().normalize()).name()),
        timeline,
        diagnose(timeline, request));
  }

  private static Timeline read(AnalysisRequest request, Redactor redactor) {
    List<Ingest.Request> inputs =
        request.inputs().stream()
            .map(input -> new Ingest.Request(input.path(), input.format(), input.name()))
            .toList();
    return Ingest.read(inputs, request.facts(), redactor, request.reading());
  }

  private static Diagnosis diagnose(Timeline timeline, AnalysisRequest request) {
    boolean anythingRead = timeline.inputs().stream().anyMatch(InputReport::isUsed);
    if (!anythingRead) {
      // What is wrong with the inputs matters more than a window that fits none of them.
      return Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty());
    }
    return Diagnoser.diagnose(timeline, request.incident(), request.baseline());
  }
}
