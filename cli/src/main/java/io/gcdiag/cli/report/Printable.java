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
}
