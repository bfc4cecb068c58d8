package io.gcdiag.cli.command;

/**
 * What is known of where output goes.
 *
 * @param outIsTerminal whether standard output is one
 * @param errIsTerminal whether standard error is one
 * @param coloursWanted false if the user's environment forbids colours (NO_COLOR, a dumb terminal)
 */
public record Terminal(boolean outIsTerminal, boolean errIsTerminal, boolean coloursWanted) {

  /** No terminal at all. */
  public static final Terminal NONE = new Terminal(false, false, false);

  /** When to use colours. */
  enum Colour {
    AUTO,
    ALWAYS,
    NEVER
  }

  boolean useColour(Colour choice) {
    return switch (choice) {
      case ALWAYS -> true;
      case NEVER -> false;
      case AUTO -> outIsTerminal && coloursWanted;
    };
  }
}
