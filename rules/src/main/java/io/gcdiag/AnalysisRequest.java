package io.gcdiag;

import io.gcdiag.diagnosis.WindowRequest;
import io.gcdiag.evidence.MetricMeaning;
import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.ingest.Progress;
import io.gcdiag.ingest.ReadOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What to analyse.
 *
 * @param inputs files and folders
 * @param facts what the operator knows
 * @param incident the incident window, if the user names one
 * @param baseline the baseline window, if the user names one
 * @param redact whether secrets in file contents are hidden in what is reported
 * @param redactHosts whether names and addresses of hosts are hidden as well
 * @param reading choices of how files are read
 */
public record AnalysisRequest(
    List<Input> inputs,
    OperatorFacts facts,
    Optional<WindowRequest> incident,
    Optional<WindowRequest> baseline,
    boolean redact,
    boolean redactHosts,
    ReadOptions reading) {

  /** Copies the list. */
  public AnalysisRequest {
    inputs = List.copyOf(inputs);
  }

  /** A request that leaves the meaning of metrics to their names. */
  public AnalysisRequest(
      List<Input> inputs,
      OperatorFacts facts,
      Optional<WindowRequest> incident,
      Optional<WindowRequest> baseline,
      boolean redact) {
    this(inputs, facts, incident, baseline, redact, Map.of());
  }

  /** A request that shows hosts. */
  public AnalysisRequest(
      List<Input> inputs,
      OperatorFacts facts,
      Optional<WindowRequest> incident,
      Optional<WindowRequest> baseline,
      boolean redact,
      Map<String, MetricMeaning> meanings) {
    this(inputs, facts, incident, baseline, redact, false, ReadOptions.STANDARD.with(meanings));
  }

  /** The same request, hiding secrets or not, and hosts as well or not. */
  public AnalysisRequest hiding(boolean secrets, boolean hosts) {
    return new AnalysisRequest(inputs, facts, incident, baseline, secrets, hosts, reading);
  }

  /** The same request, read in another way. */
  public AnalysisRequest with(ReadOptions other) {
    return new AnalysisRequest(inputs, facts, incident, baseline, redact, redactHosts, other);
  }

  /** The same request, with somebody who hears how far reading has come. */
  public AnalysisRequest telling(Progress progress) {
    return with(reading.telling(progress));
  }

  /**
   * One file or folder.
   *
   * @param path where it is
   * @param format the kind of format it must have ({@code jfr}, {@code gc-log}, {@code
   *     thread-dump}, {@code load}, {@code metrics}); absent to recognise it by content
   */
  public record Input(Path path, Optional<String> format) {}
}
