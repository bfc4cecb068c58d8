package io.gcdiag.evidence.time;

import java.util.Optional;

/**
 * The two spans of time that are compared.
 *
 * @param incident the incident window
 * @param baseline the window it is compared with; absent when the inputs hold none
 * @param chosenBy who chose them
 * @param dated whether anything in the inputs is dated; if not, the windows are placeholders
 * @param reason why these, in one sentence
 */
public record Windows(
    Window incident, Optional<Window> baseline, ChosenBy chosenBy, boolean dated, String reason) {

  /** Who chose the windows. */
  public enum ChosenBy {
    /** The user named them. */
    USER("user"),
    /** They were found as the span in which waiting and stopping rose. */
    CHANGE_POINT("change-point"),
    /** No span stands out: everything recorded is one window. */
    WHOLE_RECORDING("whole-recording");

    private final String id;

    ChosenBy(String id) {
      this.id = id;
    }

    /** The name used in machine-readable output. */
    public String id() {
      return id;
    }
  }
}
