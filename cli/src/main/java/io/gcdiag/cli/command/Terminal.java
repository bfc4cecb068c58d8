package io.gcdiag.cli.command;

import io.gcdiag.cli.render.Look;

/**
 * What is known of where output goes.
 *
 * @param outIsTerminal whether standard output is one
 * @param errIsTerminal whether standard error is one that can erase what it shows
 * @param coloursWanted false if the user's environment forbids colours (NO_COLOR, a dumb terminal)
 * @param columns characters in a line of the terminal; 0 if that is unknown
 * @param unicode whether the terminal shows more than ASCII
 */
public record Terminal(
    boolean outIsTerminal,
    boolean errIsTerminal,
    boolean coloursWanted,
    int columns,
    boolean unicode) {

  /** No terminal at all. */
  public static final Terminal NONE = new Terminal(false, false, false, 0, true);

  /** When to use colours. */
  enum Colour {
    AUTO,
    ALWAYS,
    NEVER
  }

  /** The look, as far as a terminal can show it; files and pipes take anything. */
  Look fit(Look look) {
    return outIsTerminal
        ? new Look(
            look.colour(),
            columns(Look.USUAL),
            look.ascii() || !unicode,
            look.verbose(),
            look.mostBytes())
        : look;
  }

  /** Characters in a line, or a number where that is unknown. */
  int columns(int otherwise) {
    return columns > 0 ? columns : otherwise;
  }

  boolean useColour(Colour choice) {
    return switch (choice) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> outIsTerminal && coloursWanted;
    };
  }
}
