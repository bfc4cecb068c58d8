package io.gcdiag.cli.command;

import java.util.List;

/** Ends a command with an exit code and one line per message. */
final class CommandFailure extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final ExitCode exitCode;
  private final transient List<String> lines;

  CommandFailure(ExitCode exitCode, List<String> lines, Throwable cause) {
    super(String.join("; ", lines), cause);
    this.exitCode = exitCode;
    this.lines = List.copyOf(lines);
  }

  /** Wrong usage of the command line. */
  static CommandFailure usage(String line) {
    return new CommandFailure(ExitCode.WRONG_USAGE, List.of(line), null);
  }

  /** The same with a cause. */
  static CommandFailure usage(String line, Throwable cause) {
    return new CommandFailure(ExitCode.WRONG_USAGE, List.of(line), cause);
  }

  ExitCode exitCode() {
    return exitCode;
  }

  List<String> lines() {
    return lines;
  }
}
