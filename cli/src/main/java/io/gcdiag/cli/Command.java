package io.gcdiag.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Model.CommandSpec;

/** A command. Its options and arguments are fields, which {@link CommandModel} declares. */
abstract class Command implements Callable<Integer> {

  final CommandModel command;
  final Terminal terminal;

  /**
   * A command without options.
   *
   * @param name its name on the command line
   */
  Command(String name, Terminal terminal) {
    this.command = new CommandModel(this, name);
    this.terminal = terminal;
  }

  final CommandSpec spec() {
    return command.spec();
  }

  final int print(String text) {
    terminal.print(text, command.out());
    return ExitCode.DONE.code();
  }
}
