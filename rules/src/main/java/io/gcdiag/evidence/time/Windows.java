package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;
import java.util.List;
import java.util.Optional;

/**
 * The two spans of time that are compared.
 *
 * @param incident the incident window
 * @param baseline the window it is compared with; absent when the inputs hold none
 * @param chosenBy who chose them
 * @param dated whether anything in the inputs is dated; if not, the windows are placeholders
 * @param reason why these, in one sentence
 * @param otherEpisodes in which the same was raised as much, in order of time: neither of the two
 *     windows holds any of them
 */
public record Windows(
    Window incident,
    Optional<Window> baseline,
    ChosenBy chosenBy,
    boolean dated,
    String reason,
    List<Window> otherEpisodes) {

  public Windows {
    otherEpisodes = List.copyOf(otherEpisodes);
  }

  /** Windows of a single episode. */
  public Windows(
      Window incident, Optional<Window> baseline, ChosenBy chosenBy, boolean dated, String reason) {
    this(incident, baseline, chosenBy, dated, reason, List.of());
  }

  /** The same with another incident window. */
  public Windows withIncident(Window other) {
    return new Windows(other, baseline, chosenBy, dated, reason);
  }

  /** Who chose the windows. */
  public enum ChosenBy implements Named {
    /** The user named them. */
    USER,
    /** They were found as the span in which waiting and stopping rose. */
    CHANGE_POINT,
    /** No span stands out: everything recorded is one window. */
    WHOLE_RECORDING;
  }
}
