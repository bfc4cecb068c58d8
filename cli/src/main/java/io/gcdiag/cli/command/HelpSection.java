package io.gcdiag.cli.command;

import io.gcdiag.cli.render.HelpText;
import picocli.CommandLine.Help;
import picocli.CommandLine.IHelpSectionRenderer;

/** The only section of a help page: all of it. */
final class HelpSection implements IHelpSectionRenderer {

  /** The key of the section. */
  static final String KEY = "page";

  private final Terminal terminal;

  HelpSection(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public String render(Help help) {
    return HelpText.render(CommandPages.of(help.commandSpec()), terminal.columns(HelpText.USUAL));
  }
}
