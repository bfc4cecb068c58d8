package io.gcdiag.cli.fleet;

import java.io.IOException;

/** Processes that analyse cases do not start on this machine. */
public final class WorkerStartException extends IOException {

  private static final long serialVersionUID = 1L;

  WorkerStartException(String program, IOException cause) {
    super("an analysis process does not start: " + program, cause);
  }
}
