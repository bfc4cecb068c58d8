package io.gcdiag.cli.command;

import io.gcdiag.cli.completion.Shell;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that completes the command line in a shell. */
@Command(
    name = "completion",
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Prints a script that completes commands, options and values in a shell.")
final class CompletionCommand implements Callable<Integer> {

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "SHELL",
      description = "bash, zsh or fish (default: the shell that SHELL names, else bash)")
  private Shell shell;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.print(chosen().script(CommandPages.all(spec.root().commandLine())));
    out.flush();
    return ExitCode.DONE.code();
  }

  private Shell chosen() {
    return Optional.ofNullable(shell)
        .or(() -> Optional.ofNullable(System.getenv("SHELL")).flatMap(Shell::ofPath))
        .orElse(Shell.BASH);
  }
}
