package io.gcdiag.cli;

import io.gcdiag.cli.manual.Shell;
import java.util.Optional;
import java.util.function.Supplier;

/** Prints a script that completes the command line in a shell. */
final class CompletionCommand extends Command {

  private final Supplier<Optional<Shell>> shell = command.optionalArgument("SHELL", Shell.class);

  CompletionCommand(Terminal terminal) {
    super("completion", terminal);
  }

  @Override
  public Integer call() {
    return print(chosen().script(CommandPages.all(command.spec().root().commandLine())));
  }

  private Shell chosen() {
    return shell
        .get()
        .or(() -> Optional.ofNullable(System.getenv("SHELL")).flatMap(Shell::ofPath))
        .orElse(Shell.BASH);
  }
}
