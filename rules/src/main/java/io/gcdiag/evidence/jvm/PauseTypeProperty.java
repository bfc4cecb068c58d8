package io.gcdiag.evidence.jvm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A property of pauses that depends on their type only, computed once per type. */
public final class PauseTypeProperty<T> {

  /**
   * Number of recently used types to check first: consecutive collections have only a few types.
   */
  private static final int RECENT = 4;

  private final Function<PauseType, T> property;
  private final Map<PauseType, T> known = new HashMap<>();
  private final PauseType[] types = new PauseType[RECENT];
  private final List<T> values = new ArrayList<>(Collections.nCopies(RECENT, null));
  private int next;

  /**
   * A property of types.
   *
   * @param property computes it
   */
  public PauseTypeProperty(Function<PauseType, T> property) {
    this.property = property;
  }

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
