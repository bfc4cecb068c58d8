package io.gcdiag.verdict;

/**
 * What was hidden from a reader.
 *
 * @param secrets different secrets
 * @param places places in the diagnosis where one of them stood
 */
public record Hidden(int secrets, int places) {

  /** Nothing was hidden. */
  public static final Hidden NOTHING = new Hidden(0, 0);
}
