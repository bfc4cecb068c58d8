package io.gcdiag.cli.report;

/**
 * Something that a pipeline can hold an answer to.
 *
 * @param name what is checked
 * @param outcome how it went
 * @param reason why, in one sentence
 * @param detail what it rests on; lines of text, may be empty
 */
public record Check(String name, Outcome outcome, String reason, String detail) {

  /** How a check went. */
  public enum Outcome {
    PASSED,
    FAILED,
    /** The files do not say. */
    SKIPPED
  }

  /** Cleans the texts; only the detail keeps its lines. */
  public Check {
    name = SafeText.clean(name);
    reason = SafeText.clean(reason);
    detail = String.join("\n", detail.lines().map(SafeText::clean).toList());
  }
}
