package io.gcdiag.cli.command;

import io.gcdiag.cli.render.Look;
import io.gcdiag.ingest.Progress;
import java.io.PrintWriter;
import picocli.CommandLine.Option;

/** Whether to say how far reading has come. */
final class ProgressOptions {

  @Option(
      names = "--no-progress",
      description = "no progress line on the terminal while large files are read")
  private boolean none;

  /** Tells it on standard error if that is a terminal. */
  Progress on(Terminal terminal, PrintWriter err) {
    return none || !terminal.errIsTerminal()
        ? Progress.NONE
        : new ProgressLine(err, terminal.columns(Look.USUAL), System::nanoTime);
  }
}
