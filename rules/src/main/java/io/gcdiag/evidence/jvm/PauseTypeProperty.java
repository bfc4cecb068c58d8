package io.gcdiag.evidence.jvm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A property of pauses that follows from their type, worked out once for each type. */
public final class PauseTypeProperty<T> {

  /** Types that were asked for of late: collections of a few sorts follow one another. */
  private static final int RECENT = 4;

  private final Function<PauseType, T> property;
  private final Map<PauseType, T> known = new HashMap<>();
  private final PauseType[] types = new PauseType[RECENT];
  private final List<T> values = new ArrayList<>(Collections.nCopies(RECENT, null));
  private int next;

  /**
   * Remembers a property.
   *
   * @param property works it out
   */
  public PauseTypeProperty(Function<PauseType, T> property) {
    this.property = property;
  }

  /** The property of that type. */
  public T of(PauseType asked) {
    // Equal types of one log are one object: see PauseStore.
    for (int i = 0; i < RECENT; i++) {
      if (types[i] == asked) {
        return values.get(i);
      }
    }
    T value = known.computeIfAbsent(asked, property);
    types[next] = asked;
    values.set(next, value);
    next = (next + 1) % RECENT;
    return value;
  }
}
