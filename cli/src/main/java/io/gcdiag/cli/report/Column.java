package io.gcdiag.cli.report;

/**
 * A column of a table.
 *
 * @param title its heading
 * @param align on which side its text stands
 * @param aside whether a narrow page may do without it
 */
public record Column(String title, Align align, boolean aside) {

  /** The sides. */
  public enum Align {
    /** Words. */
    LEFT,
    /** Numbers. */
    RIGHT
  }

  /** A column of words. */
  public static Column words(String title) {
    return new Column(title, Align.LEFT, false);
  }

  /** A column of numbers. */
  public static Column numbers(String title) {
    return new Column(title, Align.RIGHT, false);
  }

  /** A column of words that a narrow page leaves out. */
  public static Column aside(String title) {
    return new Column(title, Align.LEFT, true);
  }
}
