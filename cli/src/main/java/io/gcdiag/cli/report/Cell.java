package io.gcdiag.cli.report;

/**
 * A piece of text with its tone.
 *
 * @param text one line; made harmless here, so that no renderer can forget it
 * @param tone how it is meant
 */
public record Cell(String text, Tone tone) {

  /** Cleans the text. */
  public Cell {
    text = SafeText.clean(text);
  }

  /** Plain text. */
  public static Cell of(String text) {
    return new Cell(text, Tone.PLAIN);
  }
}
