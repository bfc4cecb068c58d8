package io.gcdiag.cli.command;

import io.gcdiag.ingest.Progress;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Whether to say how far reading has come. */
final class ProgressOptions {

  @Option(
      names = "--no-progress",
      description = "do not say on the terminal how far reading of large files has come")
  private boolean none;

  /** Tells it on standard error if that is a terminal. */
  Progress on(Terminal terminal, PrintWriter err) {
    return none || !terminal.errIsTerminal()
        ? Progress.NONE
        : new ProgressLine(err, terminal.columns(), System::nanoTime);
  }
}
