package io.gcdiag.cli.render;

import io.gcdiag.cli.report.Tone;

/**
 * Tones as colours of a terminal (ECMA-48, select graphic rendition).
 *
 * @param colour whether to use colours at all
 */
record Ansi(boolean colour) {

  private static final String RESET = "\u001B[0m";

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
