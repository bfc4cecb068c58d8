package io.gcdiag.evidence.time;

import io.gcdiag.units.Durations;
import java.time.Duration;
import java.util.Optional;

/**
 * How much of a signal was recorded. "Not recorded", "recorded and nothing happened" and
 * "incomplete" are different, and rules must be able to distinguish them.
 *
 * @param threshold shorter events were not recorded; empty if there is no threshold
 * @param note for people: why it is missing or incomplete; may be empty
 */
public record SignalState(Kind kind, Optional<Duration> threshold, String note) {

  /** Whether a signal was recorded. */
  public enum Kind {
    /** No input contains it, or its recording was disabled. */
    NOT_RECORDED,
    /** It was recorded, and nothing happened that reached the threshold. */
    NOTHING_SEEN,
    /** It was recorded, and there are events. */
    SEEN
  }

  /** Everything was recorded. */
  public static final SignalState SEEN = new SignalState(Kind.SEEN, Optional.empty(), "");

  public static final SignalState NOT_RECORDED =
      new SignalState(Kind.NOT_RECORDED, Optional.empty(), "");

  /**
   * The limits of its figures, to be printed beside them, such as {@code " over 10 ms (sampled at
   * 100/s: sums are not totals)"}; empty if there are none.
   */
  public String limit() {
    boolean cut = kind == Kind.SEEN && !note.isEmpty();
    return shortest() + (cut ? " (" + note + ")" : "");
  }

  /** {@code " over 10 ms"}; empty if there is no threshold. */
  public String shortest() {
    return threshold.map(time -> " over " + Durations.format(time)).orElse("");
  }

  /** The state with more information; of two equal ones the first. */
  public SignalState better(SignalState other) {
    if (kind != other.kind) {
      return kind.compareTo(other.kind) > 0 ? this : other;
    }
    return threshold.isPresent() && other.threshold.isEmpty() && other.note.isEmpty()
        ? other
        : this;
  }

  /** Whether it was recorded, so that its absence means that nothing happened. */
  public boolean recorded() {
    return kind != Kind.NOT_RECORDED;
  }
}
