package io.gcdiag.cli.command;

import java.util.function.Supplier;

/** When to use colours. */
final class ColourOption extends OptionGroup {

  private final Supplier<Terminal.Colour> colour =
      command.value("--color", "WHEN", Terminal.Colour.class, Terminal.Colour.AUTO);

  ColourOption(CommandModel command) {
    super(command);
  }

  Terminal.Colour get() {
    return colour.get();
  }
}
