package io.gcdiag;

import io.gcdiag.diagnosis.Diagnoser;
import io.gcdiag.diagnosis.Diagnosis;
import io.gcdiag.evidence.InputReport;
import io.gcdiag.evidence.Timeline;
import io.gcdiag.ingest.Ingest;
import io.gcdiag.ingest.Redactor;
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
    List<Ingest.Request> inputs =
        request.inputs().stream()
            .map(input -> new Ingest.Request(input.path(), input.format()))
            .toList();
    Timeline timeline =
        Ingest.read(inputs, request.facts(), request.redact() ? Redactor.hiding() : Redactor.off());
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
