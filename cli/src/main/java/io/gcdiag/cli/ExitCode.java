package io.gcdiag.cli;

/** How a run ended, for scripts. */
enum ExitCode {
  DONE(0),
  /** Internal error, or an error of the machine. */
  INTERNAL_ERROR(1),
  /** Wrong usage of the command line. */
  WRONG_USAGE(2),
  /** No input could be read. */
  NO_INPUT(3),
  /** A verdict named by {@code --fail-on}. */
  VERDICT_STANDS(10);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  int code() {
    return code;
  }
}
