package io.gcdiag.cli;

import io.gcdiag.AnalysisRequest;
import io.gcdiag.cli.render.Look;
import io.gcdiag.evidence.time.InputReport;
import io.gcdiag.evidence.time.InputReport.Status;
import java.util.List;
import java.util.function.BooleanSupplier;

/** Options of every command that reads files: privacy, warnings, progress. */
final class ReadingOptions extends OptionGroup {

  /** Silences the warnings. */
  static final String QUIET = "--quiet";

  private final BooleanSupplier noRedact = command.flag("--no-redact");

  private final BooleanSupplier redactHosts = command.flag("--redact-hosts");

  private final BooleanSupplier noProgress = command.flag("--no-progress");

  private final BooleanSupplier quiet = command.flag(QUIET);

  ReadingOptions(CommandModel command) {
    super(command);
  }

  AnalysisRequest of(AnalysisRequest request, Terminal terminal) {
    if (noRedact.getAsBoolean() && redactHosts.getAsBoolean()) {
      throw CommandFailure.usage("--redact-hosts hides more and --no-redact nothing; give one");
    }
    StandardInput input = command.tool().standardInput();
    AnalysisRequest hiding =
        request
            .reading(input.resolve(request.inputs()))
            .hiding(!noRedact.getAsBoolean(), redactHosts.getAsBoolean());
    return isTold(terminal)
        ? hiding.telling(
            new ProgressLine(command.err(), terminal.columns(Look.USUAL), System::nanoTime))
        : hiding;
  }

  /** Whether progress is shown: on a terminal, unless it is turned off. */
  private boolean isTold(Terminal terminal) {
    return terminal.errIsTerminal() && !noProgress.getAsBoolean() && !quiet.getAsBoolean();
  }

  /** Prints a note on standard error. */
  void warn(String line) {
    if (!quiet.getAsBoolean()) {
      Messages.say(command.err(), line);
    }
  }

  /** How far the analysis of many cases is. */
  CaseProgress cases(Terminal terminal) {
    return new CaseProgress(command.err(), isTold(terminal), System::nanoTime);
  }

  /**
   * Warns of each input that could not be read in full.
   *
   * @throws CommandFailure if there is no other
   */
  void tell(List<InputReport> inputs) {
    List<String> lines =
        inputs.stream().filter(InputReport::isTroubled).map(ReadingOptions::line).toList();
    if (inputs.stream().noneMatch(InputReport::isUsed)) {
      throw new CommandFailure(
          ExitCode.NO_INPUT, lines.isEmpty() ? List.of("no input was found") : lines, null);
    }
    lines.forEach(this::warn);
  }

  private static String line(InputReport input) {
    if (!input.note().isBlank()) {
      String what = input.status() == Status.LEFT_OUT ? ": left out, " : ": ";
      return input.file() + what + input.note();
    }
    return input.file()
        + (input.status() == Status.PARTIAL ? ": could only be read in part" : ": cannot be read");
  }
}
