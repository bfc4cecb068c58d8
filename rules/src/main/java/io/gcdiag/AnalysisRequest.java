package io.gcdiag;

import io.gcdiag.evidence.OperatorFacts;
import io.gcdiag.evidence.time.WindowRequest;
import io.gcdiag.read.bytes.Progress;
import io.gcdiag.read.bytes.ReadOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

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

  public AnalysisRequest {
    inputs = List.copyOf(inputs);
  }

  /** Everything in these files and folders, with secrets hidden and hosts shown. */
  public static AnalysisRequest of(List<Input> inputs) {
    return new AnalysisRequest(
        inputs,
        OperatorFacts.none(),
        Optional.empty(),
        Optional.empty(),
        true,
        false,
        ReadOptions.STANDARD);
  }

  /** The same of files or folders that are recognised by their content. */
  public static AnalysisRequest of(Path... paths) {
    return of(Stream.of(paths).map(path -> new Input(path, Optional.empty())).toList());
  }

  public AnalysisRequest reading(List<Input> others) {
    return new AnalysisRequest(others, facts, incident, baseline, redact, redactHosts, reading);
  }

  public AnalysisRequest knowing(OperatorFacts known) {
    return new AnalysisRequest(inputs, known, incident, baseline, redact, redactHosts, reading);
  }

  /** The same request, for windows that the user names; absent ones are found. */
  public AnalysisRequest within(
      Optional<WindowRequest> incident, Optional<WindowRequest> baseline) {
    return new AnalysisRequest(inputs, facts, incident, baseline, redact, redactHosts, reading);
  }

  /** The same request, hiding secrets or not, and hosts as well or not. */
  public AnalysisRequest hiding(boolean secrets, boolean hosts) {
    return new AnalysisRequest(inputs, facts, incident, baseline, secrets, hosts, reading);
  }

  /** The same request, read in another way. */
  public AnalysisRequest with(ReadOptions other) {
    return new AnalysisRequest(inputs, facts, incident, baseline, redact, redactHosts, other);
  }

  /** The same request, with a listener for the progress of reading. */
  public AnalysisRequest telling(Progress progress) {
    return with(reading.telling(progress));
  }

  /**
   * One file or folder.
   *
   * @param format the kind of format it must have ({@code jfr}, {@code gc-log}, {@code
   *     thread-dump}, {@code load}, {@code metrics}); absent to recognise it by content
   * @param name its name in reports; absent to name it by its path
   */
  public record Input(Path path, Optional<String> format, Optional<String> name) {

    public Input(Path path, Optional<String> format) {
      this(path, format, Optional.empty());
    }

    /** The same with another name in reports. */
    public Input named(String other) {
      return new Input(path, format, Optional.of(other));
    }
  }
}
