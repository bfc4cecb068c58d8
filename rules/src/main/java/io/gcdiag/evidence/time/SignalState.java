package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * How much is known of a signal. "Not recorded", "recorded and nothing there" and "cut short by
 * damage" are different things, and a rule must be able to tell them apart.
 *
 * @param kind which of them
 * @param threshold events shorter than this were not recorded; empty when there is no such limit
 * @param note for people: why it is missing or incomplete; may be empty
 */
public record SignalState(Kind kind, Optional<Duration> threshold, String note) {

  /** Whether a signal is there. */
  public enum Kind {
    /** No input could have held it, or it was switched off. */
    NOT_RECORDED,
    /** It was recorded and nothing of the kind happened (or lasted long enough to be seen). */
    NOTHING_SEEN,
    /** It was recorded and there is some. */
    SEEN
  }

  /** All of it is known. */
  public static final SignalState SEEN = new SignalState(Kind.SEEN, Optional.empty(), "");

  /** Nothing is known of the signal. */
  public static final SignalState NOT_RECORDED =
      new SignalState(Kind.NOT_RECORDED, Optional.empty(), "");

  /**
   * What cuts the figures of it, to stand beside them, such as {@code " of 10 ms or longer (sampled
   * at 100/s: sums are not totals)"}; empty if nothing does.
   */
  public String limit() {
    boolean cut = kind == Kind.SEEN && !note.isEmpty();
    return shortest() + (cut ? " (" + note + ")" : "");
  }

  /** {@code " of 10 ms or longer"}; empty where there is no such limit. */
  public String shortest() {
    return threshold.map(time -> " of " + Durations.format(time) + " or longer").orElse("");
  }

  /** The one that says more; of two that say as much the first. */
  public SignalState better(SignalState other) {
    if (kind != other.kind) {
      return kind.compareTo(other.kind) > 0 ? this : other;
    }
    return threshold.isPresent() && other.isWhole() ? other : this;
  }

  private boolean isWhole() {
    return threshold.isEmpty() && note.isEmpty();
  }

  /** Whether something can be said, be it that nothing happened. */
  public boolean recorded() {
    return kind != Kind.NOT_RECORDED;
  }
}
