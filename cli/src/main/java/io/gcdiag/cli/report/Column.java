package io.gcdiag.cli.report;

/**
 * A column of a table.
 *
 * @param align on which side its text stands
 * @param aside whether a narrow page may do without it
 * @param ids whether its words are names that readers copy or search for, such as a hypothesis's
 */
public record Column(String title, Align align, boolean aside, boolean ids) {

  public enum Align {
    LEFT,
    RIGHT
  }

  static Column words(String title) {
    return new Column(title, Align.LEFT, false, false);
  }

  /** A column of names that stay in one piece, as long as the rest is readable beside them. */
  static Column ids(String title) {
    return new Column(title, Align.LEFT, false, true);
  }

  public static Column numbers(String title) {
    return new Column(title, Align.RIGHT, false, false);
  }

  /** A column of words that a narrow page leaves out. */
  static Column aside(String title) {
    return new Column(title, Align.LEFT, true, false);
  }
}
