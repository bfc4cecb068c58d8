package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.evidence.InputReport;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command that reads files lets be said: what is hidden, and what is told of it. */
final class ReadingOptions {

  @Mixin private PrivacyOptions privacy;

  @Mixin private ProgressOptions progress;

  @Option(names = "--quiet", description = "neither a progress line nor warnings on standard error")
  private boolean quiet;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  /** The request with these wishes. */
  AnalysisRequest of(AnalysisRequest request, Terminal terminal) {
    StandardInput input = GcdiagCommand.of(command.commandLine()).standardInput();
    AnalysisRequest hiding = privacy.of(request.reading(input.resolve(request.inputs())));
    return quiet ? hiding : hiding.telling(progress.on(terminal, err()));
  }

  /**
   * Warns of each input with trouble.
   *
   * @throws CommandFailure if there is no other
   */
  void tell(List<InputReport> inputs) {
    InputProblems.tell(inputs, quiet, err());
  }

  private PrintWriter err() {
    return command.commandLine().getErr();
  }
}
