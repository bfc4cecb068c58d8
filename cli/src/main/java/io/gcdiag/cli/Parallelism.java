package io.gcdiag.cli;

/**
 * How many cases are analysed at once.
 *
 * @param cases at least 1
 */
record Parallelism(int cases) {

  /** No machine has more cores; a larger number is a mistake. */
  private static final int MOST = 1024;

  /**
   * The number that a user gives.
   *
   * @throws IllegalArgumentException if it is none
   */
  static Parallelism parse(String text) {
    int cases = text.matches("\\d{1,5}") ? Integer.parseInt(text) : 0;
    if (cases < 1 || cases > MOST) {
      throw new IllegalArgumentException(
          "'%s' is not a number of cases at once; write a whole number from 1 to %s"
              .formatted(text, MOST));
    }
    return new Parallelism(cases);
  }
}
