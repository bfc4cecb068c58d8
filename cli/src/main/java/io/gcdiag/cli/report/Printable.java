package io.gcdiag.cli.report;

import com.fasterxml.jackson.databind.JsonNode;

/** An answer that can be shown to people and to machines. */
public interface Printable {

  /** For people. */
  Report report();

  /** For machines. */
  JsonNode json();
}
