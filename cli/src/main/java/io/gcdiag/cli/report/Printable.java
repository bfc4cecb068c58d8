package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** An answer that can be shown to people and to machines. */
public interface Printable {

  /** For people: everything. */
  Report report();

  /** For people: what fits on one screen; everything, if that is little. */
  default Report brief() {
    return report();
  }

  /**
   * For terminals that cannot show that at once: shorter and shorter forms of it, if there are any.
   */
  default List<Report> shorter() {
    return List.of();
  }

  /** For machines. */
  JsonNode json();

  /** For pipelines; none if the answer is not one that passes or fails. */
  default List<Check> checks() {
    return List.of();
  }

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
}
