package io.gcdiag.evidence.jvm;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Kind and cause of a pause. A log of a million pauses has only a handful of types, so properties
 * that depend on the type alone are computed once per type ({@link PauseTypeProperty}) and not per
 * pause.
 *
 * @param cause the JVM's own words for its cause, such as {@code G1 Evacuation Pause}; empty if
 *     there is none
 * @param evacuationFailure whether objects could not be moved because there was no free space
 *     (to-space exhausted, evacuation or promotion failure)
 */
public record PauseType(PauseKind kind, String cause, boolean evacuationFailure) {

  /**
   * Written by hand because it is called for each pause of a log, and the generated method of a
   * record is ten times slower.
   */
  @Override
  public boolean equals(Object other) {
    return other instanceof PauseType type
        && kind == type.kind
        && evacuationFailure == type.evacuationFailure
        && cause.equals(type.cause);
  }

  @Override
  public int hashCode() {
    return 31 * kind.ordinal() + cause.hashCode() + (evacuationFailure ? 1 : 0);
  }

  /** A property of pauses that depends on their type only, computed once per type. */
  public static final class PauseTypeProperty<T> {

    /**
     * Number of recently used types to check first: consecutive collections have only a few types.
     */
    private static final int RECENT = 4;

    private final Function<PauseType, T> property;
    private final Map<PauseType, T> known = new HashMap<>();
    private final PauseType[] types = new PauseType[RECENT];
    private final List<T> values = new ArrayList<>(Collections.nCopies(RECENT, null));
    private int next;

    /** A property of types. */
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
}
