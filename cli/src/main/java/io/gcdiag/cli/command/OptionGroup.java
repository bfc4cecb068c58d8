package io.gcdiag.cli.command;

/** Options that several commands share; declared to the command that they are made for. */
abstract class OptionGroup {

  final CommandModel command;

  OptionGroup(CommandModel command) {
    this.command = command;
  }
}
