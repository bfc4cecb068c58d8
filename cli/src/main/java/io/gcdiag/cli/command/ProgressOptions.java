package io.gcdiag.cli.command;

import io.gcdiag.cli.render.Look;
import io.gcdiag.ingest.format.Progress;
import java.io.PrintWriter;
import java.util.function.BooleanSupplier;

/** Whether to show the progress of reading. */
final class ProgressOptions extends OptionGroup {

  private final BooleanSupplier none = command.flag("--no-progress");

  ProgressOptions(CommandModel command) {
    super(command);
  }

  /** Shows progress on standard error if that is a terminal. */
  Progress on(Terminal terminal, PrintWriter err) {
    return isWanted(terminal)
        ? new ProgressLine(err, terminal.columns(Look.USUAL), System::nanoTime)
        : Progress.NONE;
  }

  /** Whether standard error is a terminal, and progress is not turned off. */
  boolean isWanted(Terminal terminal) {
    return !none.getAsBoolean() && terminal.errIsTerminal();
  }
}
