package io.gcdiag;

import io.gcdiag.comparison.Comparer;
import io.gcdiag.comparison.Comparison;
import io.gcdiag.correlation.CorrelationRequest;
import io.gcdiag.correlation.Correlations;
import io.gcdiag.correlation.Correlator;
import io.gcdiag.diagnosis.Diagnoser;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.ingest.Ingest;
import io.gcdiag.ingest.InputFile;
import io.gcdiag.ingest.Redactor;
import io.gcdiag.slo.SloJudge;
import io.gcdiag.slo.SloResult;
import io.gcdiag.slo.SloTargets;
import java.util.List;
import java.util.Optional;

/** Runs a whole analysis: reads the inputs, asks the rules, weighs the answers. */
public final class Analysis {

  private Analysis() {}

  /**
   * Analyses the inputs. Inputs that cannot be read do not stop the others; what became of each is
   * in {@link Diagnosis#inputs()}.
   *
   * @throws io.gcdiag.diagnosis.WindowRequest.OutsideException if a named window holds no data
   */
  public static Diagnosis run(AnalysisRequest request) {
    return diagnose(read(request), request);
  }

  /**
   * Puts two runs side by side. Each request names the files of one run; the first of its inputs
   * gives the run its name.
   *
   * @throws io.gcdiag.diagnosis.WindowRequest.OutsideException if a named window holds no data
   */
  public static Comparison compare(AnalysisRequest before, AnalysisRequest after) {
    return Comparer.compare(side(before), side(after));
  }

  /**
   * What the inputs say of the demand on a connection pool.
   *
   * @param inputs what became of each input
   * @param facts what they say
   */
  public record Demand(List<InputReport> inputs, PoolFacts facts) {}

  /** Reads the inputs for the demand on a connection pool. */
  public static Demand demand(AnalysisRequest request) {
    Timeline timeline = read(request);
    Diagnosis diagnosis = diagnose(timeline, request);
    return new Demand(timeline.inputs(), PoolFacts.of(timeline, diagnosis.windows()));
  }

  /** Holds the load test among the inputs against its targets. */
  public static SloResult slo(AnalysisRequest request, SloTargets targets) {
    return SloJudge.judge(read(request), targets);
  }

  /** Holds every series of the inputs against the tail of the latency. */
  public static Correlations correlate(AnalysisRequest request, CorrelationRequest what) {
    return Correlator.correlate(read(request), what);
  }

  private static Comparer.Side side(AnalysisRequest request) {
    Timeline timeline = read(request);
    return new Comparer.Side(
        InputFile.of(request.inputs().get(0).path().toAbsolutePath().normalize()).name(),
        timeline,
        diagnose(timeline, request));
  }

  private static Timeline read(AnalysisRequest request) {
    List<Ingest.Request> inputs =
        request.inputs().stream()
            .map(input -> new Ingest.Request(input.path(), input.format()))
            .toList();
    return Ingest.read(
        inputs,
        request.facts(),
        request.redact() ? Redactor.hiding() : Redactor.off(),
        request.meanings());
  }

  private static Diagnosis diagnose(Timeline timeline, AnalysisRequest request) {
    boolean anythingRead =
        timeline.inputs().stream()
            .anyMatch(input -> input.status() != InputReport.Status.UNREADABLE);
    if (!anythingRead) {
      // What is wrong with the inputs matters more than a window that fits none of them.
      return Diagnoser.diagnose(timeline, Optional.empty(), Optional.empty());
    }
    return Diagnoser.diagnose(timeline, request.incident(), request.baseline());
  }
}
