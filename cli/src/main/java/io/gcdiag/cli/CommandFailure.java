package io.gcdiag.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

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

  static CommandFailure usage(String line) {
    return new CommandFailure(ExitCode.WRONG_USAGE, List.of(line), null);
  }

  static CommandFailure usage(String line, Throwable cause) {
    return new CommandFailure(ExitCode.WRONG_USAGE, List.of(line), cause);
  }

  /** What is asked for; wrong usage where it is refused with such an exception. */
  static <T> T unlessRefused(Class<? extends RuntimeException> refusal, Supplier<T> asked) {
    try {
      return asked.get();
    } catch (RuntimeException e) {
      throw refusal.isInstance(e) ? usage(e.getMessage(), e) : e;
    }
  }

  /** A file that cannot be written, for what the system says. */
  static CommandFailure unwritable(Path file, IOException e) {
    return usage(file + " cannot be written: " + (e.getMessage() == null ? e : e.getMessage()), e);
  }

  ExitCode exitCode() {
    return exitCode;
  }

  List<String> lines() {
    return lines;
  }
}
