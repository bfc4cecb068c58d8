package io.gcdiag.cli;

import io.gcdiag.cli.render.Look;
import java.util.OptionalInt;

/**
 * The properties of the terminal.
 *
 * @param outIsTerminal whether standard output is one
 * @param errIsTerminal whether standard error is one that can erase what it shows
 * @param coloursWanted false if the user's environment forbids colours (NO_COLOR, a dumb terminal)
 * @param columns characters in a line of the terminal; 0 if that is unknown
 * @param rows its lines; 0 if that is unknown
 * @param unicode whether the terminal shows more than ASCII
 */
public record Terminal(
    boolean outIsTerminal,
    boolean errIsTerminal,
    boolean coloursWanted,
    int columns,
    int rows,
    boolean unicode) {

  /** Output to files and pipes only. */
  public static final Terminal NONE = new Terminal(false, false, false, 0, 0, true);

  /** Lines of a terminal that hold the command and the prompt behind the answer. */
  private static final int AROUND = 2;

  /** When to use colours. */
  enum Colour {
    AUTO,
    ALWAYS,
    NEVER
  }

  /** The look, limited to what the terminal can show; files and pipes have no limits. */
  Look fit(Look look) {
    return outIsTerminal
        ? new Look(
            look.colour(),
            columns(Look.USUAL),
            look.ascii() || !unicode,
            look.verbose(),
            look.mostBytes(),
            rows > AROUND ? OptionalInt.of(rows - AROUND) : OptionalInt.empty())
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
