package io.gcdiag.cli.report;

/**
 * A column of a table.
 *
 * @param title its heading
 * @param align on which side its text stands
 */
public record Column(String title, Align align) {

  /** The sides. */
  public enum Align {
    /** Words. */
    LEFT,
    /** Numbers. */
    RIGHT
  }

  /** A column of words. */
  public static Column words(String title) {
    return new Column(title, Align.LEFT);
  }

  /** A column of numbers. */
  public static Column numbers(String title) {
    return new Column(title, Align.RIGHT);
  }
}
