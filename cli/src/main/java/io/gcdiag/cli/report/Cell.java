package io.gcdiag.cli.report;

import java.util.OptionalDouble;

/**
 * A piece of text with its tone.
 *
 * @param text one line; made harmless here, so that no renderer can forget it
 * @param tone how it is meant
 * @param target the id of the place in the report that it points to, for formats with links; empty
 *     for none
 * @param anchor the id under which other places point to it; empty for none
 * @param share a share that it names, 0 to 1, for formats that can draw it as a bar
 */
public record Cell(String text, Tone tone, String target, String anchor, OptionalDouble share) {

  /** Cleans the text. */
  public Cell {
    text = SafeText.clean(text);
  }

  /** Text that points nowhere. */
  public Cell(String text, Tone tone) {
    this(text, tone, "", "", OptionalDouble.empty());
  }

  /** Plain text. */
  public static Cell of(String text) {
    return new Cell(text, Tone.PLAIN);
  }

  /** The same text, pointing to a place in the report. */
  public Cell to(String id) {
    return new Cell(text, tone, id, anchor, share);
  }

  /** The same text, as a place that others point to. */
  public Cell at(String id) {
    return new Cell(text, tone, target, id, share);
  }

  /** A share. */
  public static Cell share(double share) {
    return new Cell(Figures.share(share), Tone.PLAIN, "", "", OptionalDouble.of(share));
  }
}
