package io.gcdiag.cli;

import io.gcdiag.Analysis;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Runs of the command line as in a pipe, from the arguments to what is printed. */
public abstract class PlainRuns {

  protected final StringWriter out = new StringWriter();
  protected final StringWriter err = new StringWriter();

  /** Returns the exit code. */
  protected final int run(String... arguments) {
    return Main.run(
        arguments, Analysis::run, Terminal.NONE, new PrintWriter(out), new PrintWriter(err));
  }
}
