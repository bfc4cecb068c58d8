package io.gcdiag.evidence;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** A property of pauses that follows from their type, worked out once for each type. */
public final class ByType<T> {

  private final Function<PauseType, T> property;
  private final Map<PauseType, T> known = new HashMap<>();

  /** The latest one asked for: most pauses are of the type of the one before. */
  private PauseType type;

  private T value;

  /**
   * Remembers a property.
   *
   * @param property works it out
   */
  public ByType(Function<PauseType, T> property) {
    this.property = property;
  }

  /** The property of that type. */
  public T of(PauseType asked) {
    // Equal types of one log are one object: see PauseColumns.
    if (asked != type) {
      value = known.computeIfAbsent(asked, property);
      type = asked;
    }
    return value;
  }
}
