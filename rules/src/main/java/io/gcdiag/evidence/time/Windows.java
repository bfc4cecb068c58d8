package io.gcdiag.evidence.time;

import io.gcdiag.units.Named;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The two windows that are compared.
 *
 * @param baseline the window it is compared with; empty if the inputs contain none
 * @param chosenBy how they were chosen
 * @param dated whether anything in the inputs has a timestamp; if not, the windows are placeholders
 * @param reason why these, in one sentence
 * @param otherEpisodes other times with a similar rise, in order of time; neither window contains
 *     any of them
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

  public Windows withIncident(Window other) {
    return new Windows(other, baseline, chosenBy, dated, reason);
  }

  /**
   * Since when a quantity of the service has been raised to the end of the inputs.
   *
   * @param what the quantity, as in {@code exceptions per second}
   * @param from when it rose, to the step in which the windows were sought
   * @param before its mean up to then: threads, a share of 0 to 1, bytes or events a second
   * @param after its mean since then, in the same unit
   * @param statement the same in words, with units
   */
  public record Onset(String what, Instant from, double before, double after, String statement) {}

  /** How the windows were chosen. */
  public enum ChosenBy implements Named {
    /** Given by the user. */
    USER,
    /** Detected by change-point analysis of waits and pauses. */
    CHANGE_POINT,
    /** Nothing stands out: the whole recording is one window. */
    WHOLE_RECORDING;
  }
}
