package io.gcdiag.cli.command;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.evidence.source.InputReport;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Options of every command that reads files: privacy, warnings, progress. */
final class ReadingOptions extends OptionGroup {

  /** Silences the warnings. */
  static final String QUIET = "--quiet";

  private final PrivacyOptions privacy = new PrivacyOptions(command);

  private final ProgressOptions progress = new ProgressOptions(command);

  private final BooleanSupplier quiet = command.flag(QUIET);

  ReadingOptions(CommandModel command) {
    super(command);
  }

  /** The request with these options. */
  AnalysisRequest of(AnalysisRequest request, Terminal terminal) {
    StandardInput input = command.tool().standardInput();
    AnalysisRequest hiding = privacy.of(request.reading(input.resolve(request.inputs())));
    return quiet.getAsBoolean() ? hiding : hiding.telling(progress.on(terminal, command.err()));
  }

  /** Prints a note on standard error. */
  void warn(String line) {
    if (!quiet.getAsBoolean()) {
      Messages.say(command.err(), line);
    }
  }

  /** How far the analysis of many cases is. */
  CaseProgress cases(Terminal terminal) {
    return new CaseProgress(
        command.err(), progress.isWanted(terminal) && !quiet.getAsBoolean(), System::nanoTime);
  }

  /**
   * Warns of each input that could not be read in full.
   *
   * @throws CommandFailure if there is no other
   */
  void tell(List<InputReport> inputs) {
    InputProblems.tell(inputs, quiet.getAsBoolean(), command.err());
  }
}
