package io.gcdiag.cli;

import io.gcdiag.cli.manual.NearestNames;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine;

/** Prints the help of a command, or of gcdiag itself. */
final class HelpCommand extends Command {

  static final String NAME = "help";

  /** Stands for the name of a command. */
  static final String COMMAND = "COMMAND";

  private final Supplier<Optional<String>> name = command.optionalArgument(COMMAND, String.class);

  HelpCommand(Terminal terminal) {
    super(NAME, terminal);
  }

  @Override
  public Integer call() {
    CommandLine root = command.spec().root().commandLine();
    CommandLine described =
        name.get()
            .filter(given -> !given.isEmpty())
            .map(given -> subcommand(root, given))
            .orElse(root);
    described.usage(command.out());
    command.out().flush();
    return ExitCode.DONE.code();
  }

  private static CommandLine subcommand(CommandLine root, String name) {
    CommandLine found = root.getSubcommands().get(name);
    if (found == null) {
      throw CommandFailure.usage(
          "unknown command '%s'; %s'gcdiag help' lists all commands"
              .formatted(
                  name, NearestNames.instead(name, List.copyOf(root.getSubcommands().keySet()))));
    }
    return found;
  }
}
