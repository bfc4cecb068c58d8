package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Tone;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Presentation options of a report.
 *
 * @param colour whether text has the colours of a terminal
 * @param width characters a line of text may have, at least {@link #NARROWEST}
 * @param ascii whether text holds ASCII characters only
 * @param verbose whether text holds the details as well
 * @param mostBytes what a Markdown report may take in UTF-8, if it is limited
 * @param mostLines what text without details may take of a terminal, if it is limited
 */
public record Look(
    boolean colour,
    int width,
    boolean ascii,
    boolean verbose,
    OptionalLong mostBytes,
    OptionalInt mostLines) {

  /** Narrower tables have no room for their texts. */
  public static final int NARROWEST = 80;

  /** Fits two windows side by side on a common screen, and most ticket systems. */
  public static final int USUAL = 100;

  /** Longer lines are hard to read. */
  public static final int WIDEST = 140;

  /** For a file or a pipe. */
  public static final Look PLAIN =
      new Look(false, USUAL, false, false, OptionalLong.empty(), OptionalInt.empty());

  /** Ends a colour (ECMA-48, select graphic rendition). */
  private static final String RESET = "\u001B[0m";

  /** Limits the width to its range. */
  public Look {
    width = Math.max(NARROWEST, Math.min(WIDEST, width));
  }

  public Look coloured(boolean with) {
    return new Look(with, width, ascii, verbose, mostBytes, mostLines);
  }

  /** Whether a text is short enough. */
  boolean holds(String text) {
    return mostLines.isEmpty() || text.lines().count() <= mostLines.getAsInt();
  }

  /** A text in the colour of its tone. */
  String paint(String text, Tone tone) {
    return colour && tone != Tone.PLAIN && !text.isBlank() ? code(tone) + text + RESET : text;
  }

  private static String code(Tone tone) {
    return switch (tone) {
      case PLAIN -> "";
      case STRONG -> "\u001B[1m";
      case BAD -> "\u001B[1;31m";
      case WARNING -> "\u001B[33m";
      case GOOD -> "\u001B[32m";
      case MUTED -> "\u001B[2m";
    };
  }
}
