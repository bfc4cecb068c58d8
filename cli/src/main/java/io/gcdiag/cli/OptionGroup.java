package io.gcdiag.cli;

/** Options shared by several commands. */
abstract class OptionGroup {

  final CommandModel command;

  OptionGroup(CommandModel command) {
    this.command = command;
  }
}
