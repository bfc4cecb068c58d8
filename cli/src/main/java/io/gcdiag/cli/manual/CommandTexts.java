package io.gcdiag.cli.manual;

import io.gcdiag.cli.manual.CommandPage.Term;
import java.util.List;

/**
 * What is written by hand for a command.
 *
 * @param details paragraphs below the summary; those that begin with {@link #CODE} are to be copied
 * @param examples calls, each with what it is for
 * @param exitCodes each exit code that the command can end with
 * @param environment each environment variable that the command or its launcher reads
 * @param files each file that the command reads without being given its name
 */
public record CommandTexts(
    List<String> details,
    List<Term> examples,
    List<Term> exitCodes,
    List<Term> environment,
    List<Term> files) {

  /** Begins a paragraph that no line break may change. */
  public static final String CODE = "  ";

  public static boolean isCode(String paragraph) {
    return paragraph.startsWith(CODE);
  }
}
