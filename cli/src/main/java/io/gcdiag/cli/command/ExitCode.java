package io.gcdiag.cli.command;

/** How a run ended, for scripts. */
public enum ExitCode {
  /** Done. */
  DONE(0),
  /** A defect of this tool, or of the machine it runs on. */
  INTERNAL_ERROR(1),
  /** Something on the command line has to be changed. */
  WRONG_USAGE(2),
  /** No input could be read. */
  NO_INPUT(3),
  /** A verdict stands that {@code --fail-on} names. */
  VERDICT_STANDS(10);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** The number. */
  public int code() {
    return code;
  }
}
