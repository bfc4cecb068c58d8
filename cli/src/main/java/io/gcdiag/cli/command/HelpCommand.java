package io.gcdiag.cli.command;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the help of a command, or of gcdiag itself. */
@Command(
    name = HelpCommand.NAME,
    sortOptions = false,
    addMethodSubcommands = false,
    description = "Describes a command and its options.")
final class HelpCommand implements Callable<Integer> {

  /** The name of the command. */
  static final String NAME = "help";

  /** Stands for the name of a command. */
  static final String COMMAND = "COMMAND";

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = COMMAND,
      description = "the command to describe (default: gcdiag itself)")
  private String name = "";

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    CommandLine described = name.isEmpty() ? root : root.getSubcommands().get(name);
    if (described == null) {
      throw CommandFailure.usage(
          "unknown command '"
              + name
              + "'; "
              + Suggestion.instead(name, List.copyOf(root.getSubcommands().keySet()))
              + "'gcdiag help' lists all commands");
    }
    described.usage(spec.commandLine().getOut());
    spec.commandLine().getOut().flush();
    return ExitCode.DONE.code();
  }
}
