package io.gcdiag.cli.command;

import io.gcdiag.evidence.source.InputReport;
import io.gcdiag.evidence.source.InputReport.Status;
import java.io.PrintWriter;
import java.util.List;

/** Warns of inputs that were not read, or read in part. */
final class InputProblems {

  private InputProblems() {}

  /**
   * Warns of each input that could not be read in full.
   *
   * @throws CommandFailure if there is no other
   */
  static void tell(List<InputReport> inputs, boolean quiet, PrintWriter err) {
    List<String> lines =
        inputs.stream().filter(InputReport::isTroubled).map(InputProblems::line).toList();
    if (inputs.stream().noneMatch(InputReport::isUsed)) {
      throw new CommandFailure(
          ExitCode.NO_INPUT, lines.isEmpty() ? List.of("no input was found") : lines, null);
    }
    if (!quiet) {
      lines.forEach(line -> Messages.say(err, line));
    }
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
