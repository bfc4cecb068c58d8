package io.gcdiag.cli.command;

/** Options shared by several commands. */
abstract class OptionGroup {

  final CommandModel command;

  OptionGroup(CommandModel command) {
    this.command = command;
  }
}
