package io.gcdiag.cli.command;

import io.gcdiag.cli.completion.Shell;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import picocli.CommandLine.Model.CommandSpec;

/** Prints a script that completes the command line in a shell. */
final class CompletionCommand implements Callable<Integer> {

  private final CommandModel command =
      new CommandModel(
          this,
          "completion",
          "Prints a script that completes commands, options and values in a shell.");

  private final Supplier<Optional<Shell>> shell =
      command.optionalArgument(
          "SHELL",
          Shell.class,
          "bash, zsh or fish (default: the shell that SHELL names, else bash)");

  CommandSpec spec() {
    return command.spec();
  }

  @Override
  public Integer call() {
    PrintWriter out = command.out();
    out.print(chosen().script(CommandPages.all(command.spec().root().commandLine())));
    out.flush();
    return ExitCode.DONE.code();
  }

  private Shell chosen() {
    return shell
        .get()
        .or(() -> Optional.ofNullable(System.getenv("SHELL")).flatMap(Shell::ofPath))
        .orElse(Shell.BASH);
  }
}
